-- Deletes a user's notifications, and removes the user from other members' notifications. Notifications that report the
-- user as a new member are deleted. If a notification says that the user overtook the recipient, "a former member"
-- replaces the user's name. The function locks the notifications in the same order as mark_read.
create or replace function anonymise_notifications(of_groups text[], of_user text, tombstone text)
returns void language plpgsql as $$
declare
  told record;
begin
  delete from notification n where n.user_id = of_user;
  for told in
    select n.partition, n.created_at, n.id, n.type, n.content
    from notification n
    where n.user_id = any (array(
        select m.user_id::text from member m where m.group_id = any (of_groups)))
      and n.group_id = any (of_groups)
      and (n.type = 'new_member' and n.content ->> 'user' = of_user
        or n.type = 'rank_change' and n.content -> 'passed_by' ? of_user)
    order by n.created_at, n.id
    for update
  loop
    if told.type = 'new_member' then
      delete from notification n
      where n.partition = told.partition and n.created_at = told.created_at and n.id = told.id;
    else
      update notification n
      set content = n.content || jsonb_build_object(
        'passed_by', (
          select jsonb_agg(case when p.id = of_user then tombstone else p.id end order by p.n)
          from jsonb_array_elements_text(n.content -> 'passed_by') with ordinality p (id, n)),
        -- If only one user overtook the recipient, the notification's message contains this user's name.
        'message', case when jsonb_array_length(n.content -> 'passed_by') = 1
          then 'A former member' || substr(n.content ->> 'message',
            strpos(n.content ->> 'message', ' passed you'))
          else n.content ->> 'message' end)
      where n.partition = told.partition and n.created_at = told.created_at and n.id = told.id;
    end if;
  end loop;
end $$
