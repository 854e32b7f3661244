-- A template: drops the function of a trigger that was dropped. Rows: none. Locks: it.
drop function if exists {function}()
