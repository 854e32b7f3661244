-- Cancels a group's open boards without sending notifications. The function waits for transactions that write the
-- boards' entries or close the boards.
create or replace function cancel_boards(of_group text) returns void
language plpgsql as $$
begin
  perform from challenge c
  where c.group_id = of_group and c.state = 'open'
  order by c.week_start, c.type
  for update;
  update challenge c set state = 'cancelled' where c.group_id = of_group and c.state = 'open';
end $$
