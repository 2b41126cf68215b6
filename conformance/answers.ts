import type { TestApp } from '../test/support/test-app.ts';

/** Answers servers' questions as a person who takes what a form proposes and opens no page. Until it is disposed. */
export function answerQuestions(app: TestApp, onError: (error: unknown) => void): Disposable {
  const answered = new Set<string>();
  return app.app.state.follow(() => {
    for (const { id, ask } of app.state.elicitations) {
      if (answered.has(id)) continue;
      answered.add(id);
      app.ask('dialogue.answer', { id, action: ask.kind === 'form' ? 'accept' : 'decline' }).catch(onError);
    }
  });
}
