/** What a person sees in the end. */
export interface SeenPage {
  readonly status: number;
  readonly url: string;
  readonly text: string;
}

/** Signs in on an authorization server's pages as a browser would: follows it from page to page, keeps its cookies, sends its forms. */
export class FormPerson {
  readonly #cookies = new Map<string, string>();

  /** Goes on to the callback, and sees its page. */
  async signIn(url: string, account = 'alice'): Promise<SeenPage> {
    return await this.open(await this.callbackOf(url, account));
  }

  /** Says no, and sees the callback's page. */
  async deny(url: string): Promise<SeenPage> {
    return await this.open(await this.#follow(url, (page) => ({ url: linkOf(page) })));
  }

  /** Signs in and agrees, and stops before the callback: the address that the browser would go to. */
  async callbackOf(url: string, account = 'alice'): Promise<string> {
    return await this.#follow(url, (page) => {
      const isLogin = page.text.includes('name="login"');
      return { url: formOf(page), body: new URLSearchParams(isLogin ? { prompt: 'login', login: account, password: 'x' } : { prompt: 'consent' }) };
    });
  }

  /** Opens an address, such as a tab that was left open. */
  async open(url: string): Promise<SeenPage> {
    const answer = await fetch(url, { redirect: 'manual' });
    return { status: answer.status, url, text: await answer.text() };
  }

  async #follow(start: string, press: (page: SeenPage) => { readonly url: string; readonly body?: URLSearchParams }): Promise<string> {
    const { origin } = new URL(start);
    let next: { readonly url: string; readonly body?: URLSearchParams } = { url: start };
    for (let step = 0; step < 20; step += 1) {
      const { url, body } = next;
      const answer = await fetch(url, {
        redirect: 'manual', headers: { cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ') }, ...(body ? { method: 'POST', body } : {}),
      });
      this.#keep(answer.headers.getSetCookie());
      const location = answer.headers.get('location');
      const text = await answer.text();
      if (location !== null) {
        const to = new URL(location, url);
        if (to.origin !== origin) return to.href;
        next = { url: to.href };
      } else if (answer.status === 200) next = press({ status: answer.status, url, text });
      else throw new Error(`The page says ${answer.status}: ${text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ').slice(0, 300)}`);
    }
    throw new Error('The pages led nowhere');
  }

  #keep(cookies: readonly string[]): void {
    for (const cookie of cookies) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (name === undefined) continue;
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value ?? '');
    }
  }
}

const formOf = ({ text, url }: SeenPage): string => new URL(/<form[^>]* action="([^"]+)"/.exec(text)?.[1] ?? '', url).href;
const linkOf = ({ text, url }: SeenPage): string => new URL(/<a[^>]* href="([^"]+)"/.exec(text)?.[1] ?? '', url).href;
