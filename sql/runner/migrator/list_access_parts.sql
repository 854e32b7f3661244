-- What each part declares about access, as stored by the last program that knew the part. Rows: part, text. Locks:
-- none.
select substr(object, length('part ') + 1), made_by from access_object where object like 'part %'
order by 1
