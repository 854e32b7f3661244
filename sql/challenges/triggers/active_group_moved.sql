-- Claims of members stay. Beside active_group_updated, which looks at what they became.
create or replace trigger active_group_moved after update on active_group
referencing old table as old_row for each statement execute function active_group_removed()
