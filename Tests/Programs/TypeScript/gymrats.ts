// Calls a server of GymRats with the generated client.
import { DefaultApi, Configuration, ResponseError } from "./gymrats/index";

async function main(basePath: string, token: string): Promise<void> {
  const api = new DefaultApi(new Configuration({ basePath, accessToken: async () => token }));
  const user = await api.postSignIn({ signIn: { displayName: "Ann" } });
  const group = await api.postGroups({ idempotencyKey: "typescript", newGroup: { name: "Gym" } });
  for (const isReplayed of [false, true]) {
    const answer = await api.putWorkoutsOfWorkout({
      workout: "w1", workout2: { utcOffsetSeconds: 3600 },
    });
    if (answer.isReplayed !== isReplayed) {
      throw new Error(`unexpected answer: ${JSON.stringify(answer)}`);
    }
  }
  const board = await api.getGroupsOfGroupBoardsOfType({ group: group.id, type: "check-ins" });
  if (board.challenge.groupId !== group.id || board.entries.length !== 0) {
    throw new Error(`unexpected board: ${JSON.stringify(board)}`);
  }
  const refused = await api.postGroups({ idempotencyKey: "other", newGroup: { name: "Other" } })
    .catch((error: unknown) => error);
  if (!(refused instanceof ResponseError) || refused.response.status !== 409
    || (await refused.response.json()).groupId !== group.id) {
    throw new Error(`unexpected refusal: ${refused}`);
  }
  console.log(`gymrats: signed in ${user.displayName}, recorded a workout in ${group.name}`);
}

main(process.argv[2], process.argv[3]).catch((error) => { console.error(error); process.exit(1); });
