-- Deletes the presences, visits and commands of users whose accounts are being deleted. The users' first arrivals are
-- kept without user ids, so that no later user becomes the first user of an old date. The caller must have locked the
-- users. Index: presence_user, visit_user, first_arrival_user, presence_command_pkey.
create or replace function delete_presences(of_users text[]) returns void
language plpgsql as $$
begin
  delete from presence p where p.user_id = any (of_users);
  delete from visit v where v.user_id = any (of_users);
  update first_arrival f set user_id = null where f.user_id = any (of_users);
  delete from presence_command c where c.user_id = any (of_users);
end $$
