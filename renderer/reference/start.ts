// Starts the API reference: the viewer (unmodified Redoc) over /openapi.json.
import '@fontsource-variable/inter';
import './reference.css';

/** The viewer, once its script has run. */
interface Viewer {
  init(url: string, options: object, element: HTMLElement, done: (error?: Error) => void): void;
}

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
const element = document.getElementById('reference')!;
const barHeight = 48;

/** Makes images ignore addresses outside the engine, however they are set. */
function refuseExternal(picture: HTMLElement): void {
  const setAttribute = picture.setAttribute.bind(picture);
  picture.setAttribute = (attribute, value) => {
    const isOwn = value.startsWith('data:') || !/^([a-z]+:|\/\/)/i.test(value);
    if (attribute !== 'src' || isOwn) setAttribute(attribute, value);
    // Without its source it would be shown as broken.
    else picture.style.display = 'none';
  };
  Object.defineProperty(picture, 'src', {
    get: () => picture.getAttribute('src') ?? '',
    set: (value: string) => picture.setAttribute('src', value),
  });
}

/**
 * The viewer writes one style before it accepts a nonce, and loads its makers' logo from their
 * site. Here every style gets the nonce, and no image is external.
 */
function restrictViewer(): void {
  const create = document.createElement.bind(document);
  document.createElement = (name: string, options?: ElementCreationOptions) => {
    const made = create(name, options);
    if (name === 'style') made.setAttribute('nonce', nonce);
    if (name === 'img') refuseExternal(made);
    return made;
  };
}

const font = "'Inter Variable', system-ui, sans-serif";
const options = {
  nonce,
  disableSearch: true,
  hideLoading: true,
  nativeScrollbars: true,
  sanitize: true,
  expandResponses: '200,202',
  requiredPropsFirst: true,
  scrollYOffset: barHeight,
  theme: {
    colors: { primary: { main: '#364fc7' } },
    typography: { fontFamily: font, fontSize: '14px', headings: { fontFamily: font } },
  },
};

function showFailure(): void {
  const words = document.createElement('p');
  words.setAttribute('role', 'alert');
  words.textContent =
    'The reference could not be loaded. Check that the engine is running, then reload this page.';
  element.replaceChildren(words);
}

function showReference(): void {
  const { Redoc } = window as unknown as { Redoc?: Viewer };
  if (!Redoc) showFailure();
  else
    Redoc.init('/openapi.json', options, element, (error) => {
      if (error) showFailure();
      else document.body.dataset.ready = 'true';
    });
}

restrictViewer();
const script = document.createElement('script');
script.src = '/reference/redoc.js';
script.addEventListener('load', showReference);
script.addEventListener('error', showFailure);
document.head.append(script);
