-- The template drops the view of a table's columns, if triggers no longer read them. As long as the view exists, the
-- columns cannot be dropped. Rows: none. Locks: the view.
drop view if exists {view}
