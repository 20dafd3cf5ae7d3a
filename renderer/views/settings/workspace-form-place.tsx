import { createContext, type ReactNode, useContext, useState } from 'react';
import type { WorkspaceView } from '../../../shared/domain/workspace.ts';
import type { WorkspaceFields } from './workspace-fields.ts';

/** A form over a workspace that was begun, and neither saved nor cancelled. */
export interface BegunForm {
  /** null for a new workspace. */
  id: string | null;
  /** The workspace as the form was filled from it; null for a new one. */
  basedOn: WorkspaceView | null;
  /** Without what was typed as a token: that lives as long as its field. */
  fields: WorkspaceFields;
  /** A token was typed, and has to be typed again. */
  lostToken: boolean;
}

interface KeptForm {
  begun: BegunForm | null;
}

const FormContext = createContext<KeptForm>({ begun: null });

/** A person who looks something up in another view finds the form as it was left. */
export function WorkspaceFormProvider({ children }: { children: ReactNode }) {
  const [kept] = useState<KeptForm>(() => ({ begun: null }));
  return <FormContext value={kept}>{children}</FormContext>;
}

/** What was begun when the view came, and how to note another; null when it is over. */
export function useBegunForm(): [BegunForm | null, (form: BegunForm | null) => void] {
  const kept = useContext(FormContext);
  const [begun] = useState(kept.begun);
  return [begun, (form) => keep(kept, form)];
}

function keep(kept: KeptForm, form: BegunForm | null): void {
  kept.begun = form;
}
