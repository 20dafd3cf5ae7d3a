-- Version 29: values of records are searched for by what the page shows of them too, such as the words of a code.

-- What version 28 stored has a word for each of a few codes.
INSERT OR IGNORE INTO known_value (field, value)
  SELECT field, shown.value FROM known_value CROSS JOIN json_each(shown_values(field, known_value.value)) AS shown
  WHERE field IN ('sandbox', 'vt');

INSERT OR IGNORE INTO sample_value (value_id, sample_id)
  SELECT words.id, sample_value.sample_id FROM known_value AS code
    CROSS JOIN json_each(shown_values(code.field, code.value)) AS shown
    CROSS JOIN known_value AS words ON words.field = code.field AND words.value = shown.value
    CROSS JOIN sample_value ON sample_value.value_id = code.id
  WHERE code.field IN ('sandbox', 'vt');

-- The values of samples below this number are as version 28 stored them: "IndexUpkeep" reads their records once more,
-- while the program runs. No row: none are left.
CREATE TABLE value_upkeep (
  below INTEGER NOT NULL
) STRICT;
INSERT INTO value_upkeep SELECT max(id) + 1 FROM sample HAVING max(id) IS NOT NULL;
