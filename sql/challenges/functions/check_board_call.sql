-- Rejects a member's call if the board does not have the expected type or does not belong to the current week. The
-- board must also belong to the member's group. If the call is permitted, the function returns the board. Locks: none.
-- Indexes: challenge_pkey, active_group_pkey, member_pkey.
create or replace function check_board_call(
  actor text, challenge_id uuid, of_type challenge_type, out board challenge
) language plpgsql as $$
begin
  perform require_actor(actor);
  select c.* into board from challenge c where c.id = challenge_id;
  if not found then
    perform refuse('challengeNotFound', format('there is no challenge %s',
      coalesce(challenge_id::text, 'null')),
      'Nothing was changed. Ask for the challenges of this week.');
  elsif not exists (
    select from active_group a
    join member m on m.group_id = a.group_id and m.user_id = a.user_id
    where a.user_id = actor and a.group_id = board.group_id and m.left_at is null) then
    perform refuse('notAMember', format('user %s is no member of the group of challenge %s',
      quote_literal(actor), challenge_id),
      'Nothing was changed. Join the group first.');
  elsif board.type <> of_type then
    perform refuse('invalidChallengeType', format('challenge %s counts %s, not %s',
      challenge_id, board.type, of_type),
      'Nothing was changed. Send the id of the other challenge of this week.');
  elsif board.state <> 'open' or board.ends_at <= domain_now() then
    perform refuse('challengeExpired', format('the week of challenge %s is over',
      challenge_id),
      'Nothing was changed. Ask for the challenges of this week.');
  elsif board.starts_at > domain_now() then
    perform refuse('invalidInput', format('the week of challenge %s has not begun',
      challenge_id),
      'Nothing was changed. Ask for the challenges of this week.');
  end if;
end $$
