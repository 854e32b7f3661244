-- Raises the error for a group that does not exist or was deleted.
create or replace function refuse_group(of_group text) returns void
language plpgsql as $$
begin
  perform refuse('groupNotFound', format('there is no group %s', quote_nullable(left(of_group, 64))),
    'Nothing was changed. The group may have been deleted: read the groups of the user again.');
end $$
