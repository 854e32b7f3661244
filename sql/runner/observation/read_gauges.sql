-- The figures of the products. Rows: name, help, value, above which value something is wrong (null: none), what to do
-- then. Locks: none. The products' views say which indexes they need.
select name, help, value, most, next from product_gauges()
