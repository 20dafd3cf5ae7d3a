/** SHA-256 of the lab's sample file invoice_2291.exe, which the rule glasswing_stub of its Release hits. */
export const glasswing = 'f3a9d1ebac6724484705c7741786c28c1ef300fee9cf0d16c615d849fbe680d1';
