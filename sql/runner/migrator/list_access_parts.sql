-- What each part says of access, as the program that knew it has left it. Rows: part, text. Locks: none.
select substr(object, length('part ') + 1), made_by from access_object where object like 'part %'
order by 1
