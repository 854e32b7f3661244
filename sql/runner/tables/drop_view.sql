-- A template: the columns may go that nobody reads any more. Rows: none. Locks: the view.
drop view if exists {view}
