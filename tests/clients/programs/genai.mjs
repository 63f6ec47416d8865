// A program on @google/genai: `node genai.mjs SCENE…`. Where the server is, it is told by the environment.
// The scene `through-proxy` makes Node's fetch heed HTTPS_PROXY, which Node 20 does not do by itself.
import { GoogleGenAI, Modality } from '@google/genai';

const MODEL = 'gemini-3.6-flash';
const LIVE = 'gemini-3.8-live';
const WEATHER = 'What is the weather in Paris? [[call=get_weather]]';
const DECLARED = {
  name: 'get_weather',
  description: 'The weather in a city.',
  parametersJsonSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
// What the library calls by itself.
const CALLABLE = {
  tool: async () => ({ functionDeclarations: [DECLARED] }),
  callTool: async (calls) => calls.map((call) => ({ functionResponse: answer(call) })),
};

function answer(call) {
  return { id: call.id, name: call.name, response: { weather: `sunny in ${call.args.city}` } };
}

async function unary(client) {
  const said = await client.models.generateContent({ model: MODEL, contents: 'Hello [[encoding=gzip]]' });
  console.log(said.text);
}

async function stream(client) {
  const said = await client.models.generateContentStream({ model: MODEL, contents: 'Hello [[slow=0.02]]' });
  for await (const chunk of said) console.log(chunk.text);
}

async function chat(client) {
  const talk = client.chats.create({ model: MODEL, config: { tools: [CALLABLE] } });
  console.log((await talk.sendMessage({ message: WEATHER })).text);
  console.log((await talk.sendMessage({ message: 'And tomorrow?' })).text);
}

// Two calls, one answer; and then nobody answers at all.
async function broken(client) {
  const calls = ['c1', 'c2'].map((id) => ({ functionCall: { id, name: 'get_weather', args: { city: 'Paris' } } }));
  calls[0].thoughtSignature = 'YSBzaWduYXR1cmUgb2Ygc29tZSBsZW5ndGg=';
  const asked = [
    { role: 'user', parts: [{ text: 'Weather?' }] },
    { role: 'model', parts: calls },
  ];
  const answered = { functionResponse: { id: 'c1', name: 'get_weather', response: { weather: 'sunny' } } };
  for (const last of [answered, { text: 'Well?' }]) {
    const contents = [...asked, { role: 'user', parts: [last] }];
    await client.models.generateContent({ model: MODEL, contents }).catch((error) => console.log(error.status));
  }
}

async function live(client, id) {
  let over;
  const ended = new Promise((resolve, reject) => { over = { resolve, reject }; });
  const session = await client.live.connect({
    model: LIVE,
    config: { responseModalities: [Modality.AUDIO], tools: [{ functionDeclarations: [DECLARED] }] },
    callbacks: {
      onmessage: (message) => {
        const calls = message.toolCall?.functionCalls;
        if (calls) {
          const functionResponses = calls.map((call) => ({ ...answer(call), id: id ?? call.id }));
          session.sendToolResponse({ functionResponses });
        }
        if (message.serverContent?.turnComplete) over.resolve('done');
      },
      onerror: over.reject,
      onclose: (closed) => over.reject(new Error(`closed: ${closed.code} ${closed.reason}`)),
    },
  });
  session.sendClientContent({ turns: [{ role: 'user', parts: [{ text: WEATHER }] }] });
  console.log(await ended);
  session.close();
}

async function throughProxy() {
  const { EnvHttpProxyAgent, setGlobalDispatcher } = await import('undici');
  setGlobalDispatcher(new EnvHttpProxyAgent());
}

const SCENES = {
  'through-proxy': throughProxy,
  unary,
  stream,
  chat,
  broken,
  live,
  'live-broken': (client) => live(client, 'nobody'),
};

for (const name of process.argv.slice(2)) {
  await SCENES[name](new GoogleGenAI({ apiKey: process.env.GEMINI_API_KEY }));
}
