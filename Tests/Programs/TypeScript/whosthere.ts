// Calls a server of Who's There with the generated client.
import { DefaultApi, Configuration, ResponseError } from "./whosthere/index";

async function main(basePath: string): Promise<void> {
  let token = "";
  const api = new DefaultApi(new Configuration({ basePath, accessToken: async () => token }));
  const signedIn = await api.postSignIn({
    signIn: { provider: "anonymous", secret: "a".repeat(64), device: "phone" },
  });
  token = signedIn.token;
  const center = { latitude: 52.5, longitude: 13.4 };
  const group = await api.postGroups({
    idempotencyKey: "typescript",
    newGroup: {
      name: "Chess", isPublic: true, timeZone: "Europe/Berlin",
      shape: { type: "circle", center, radius: 100 },
    },
  });
  const message = await api.postGroupsOfGroupMessages({
    group: group.id, idempotencyKey: "5b0f7a3e-0000-4000-8000-000000000001",
    newMessage: { text: "Hello" },
  });
  const page = await api.getGroupsOfGroupMessages({ group: group.id, limit: 1 });
  if (page.messages[0].id !== message.id || !/\.\d{6}Z$/.test(message.sentAt)) {
    throw new Error(`unexpected messages: ${JSON.stringify(page)}`);
  }
  const refused = await api.getGroupsOfGroup({ group: "none" }).catch((error: unknown) => error);
  if (!(refused instanceof ResponseError) || refused.response.status !== 404
    || (await refused.response.json()).code !== "groupNotFound") {
    throw new Error(`unexpected refusal: ${refused}`);
  }
  console.log(`whosthere: signed in ${signedIn.user.displayName}, sent a message in ${group.name}`);
}

main(process.argv[2]).catch((error) => { console.error(error); process.exit(1); });
