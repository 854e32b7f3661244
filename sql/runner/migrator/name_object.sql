-- Sets the object that drop_object drops. $1 kind, $2 name, $3 table. Rows: one. Locks: none.
select set_config('baton.kind', $1, true), set_config('baton.name', $2, true),
  set_config('baton.relation', $3, true)
