import { minuteWords } from '../../components/format.ts';
import { RadioChoice } from '../../components/radio-choice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { type MuteEnd, type MuteTerm, muteTerms } from './mute-end.ts';
import { text } from './text.ts';

export interface MuteEndFieldsProps {
  end: MuteEnd;
  onChange(end: MuteEnd): void;
  /** The end that the mute has; null: none to keep. */
  kept: string | null;
  problem: string | null;
}

export function MuteEndFields({ end, onChange, kept, problem }: MuteEndFieldsProps) {
  const options: { value: MuteTerm; text: string }[] = muteTerms.map((value) => ({ value, text: text.terms[value] }));
  if (kept !== null) options.unshift({ value: 'kept', text: text.terms.kept(minuteWords(new Date(kept))) });
  return (
    <>
      <RadioChoice
        label={text.end}
        value={end.term}
        options={options}
        onChange={(term) => onChange({ ...end, term })}
      />
      {end.term === 'date' && (
        <TextField
          label={text.date}
          placeholder={text.datePlaceholder}
          mono
          maxLength={10}
          autoComplete="off"
          value={end.date}
          onChange={(date) => onChange({ ...end, date })}
          problem={problem}
        />
      )}
    </>
  );
}
