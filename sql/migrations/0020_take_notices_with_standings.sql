-- The unread notice of a changed rank goes with the standing that points to it: it speaks of a rank
-- that is gone, and whoever is ranked again later begins anew. Left behind, it would be a second unread
-- one beside the next (rule 67). Retention removes standings in bulk whose notices are long out of sight.
create function standing_deleted() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  -- One that is being read is left to its reader, and counts as read.
  perform from notification
  where slot = day_slot(old.notice_created_at) and created_at = old.notice_created_at
    and id = old.notice_id and not is_read
  for update skip locked;
  if found then
    delete from notification
    where slot = day_slot(old.notice_created_at) and created_at = old.notice_created_at
      and id = old.notice_id;
  end if;
  return null;
end $$;

create trigger standing_deleted after delete on standing for each row
when (old.notice_id is not null and old.notice_created_at > domain_now() - interval '7 days')
execute function standing_deleted();
