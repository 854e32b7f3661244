-- A template: drops the view that holds columns, when no trigger reads them any more. Rows: none. Locks: the view.
drop view if exists {view}
