-- Records a change of every open board, so that all of them are ranked again. Rows: one. Locks: none.
select append_events(
  'entry.changed', array(select id::text from challenge where state = 'open' order by id))
