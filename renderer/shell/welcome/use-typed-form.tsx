import { useState } from 'react';
import { type TypedQuestion, useTypedQuestion } from '../../state/typed-question.tsx';
import { text } from './text.ts';

export interface TypedForm extends TypedQuestion {
  /** Put it around the form. */
  onInput(): void;
}

/** Whatever leads away from a form that is open asks before it throws away what was typed. */
export function useTypedForm(isOpen: boolean): TypedForm {
  const [isTyped, setTyped] = useState(false);
  if (!isOpen && isTyped) setTyped(false);
  return { onInput: () => setTyped(isOpen), ...useTypedQuestion(isTyped, text.typedLost) };
}
