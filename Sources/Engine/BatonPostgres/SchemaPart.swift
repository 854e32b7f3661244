/// A schema module: the migrations, functions, views and triggers that one library or program owns
/// in a schema.
///
/// The `EmbedSQL` plugin generates one module from a folder of SQL files. For the `OrdersSQL`
/// target, the `sql/orders` folder becomes `SQL.orders`.
public struct SchemaPart: Sendable {
  /// The module's name, which the schema stores and which must never change.
  public let name: String
  /// The version of the module's functions, views and triggers.
  ///
  /// An older program never replaces the objects of a newer version.
  public let version: Int
  /// The migrations, oldest first.
  public let migrations: [Statement]
  /// The functions, views and triggers in the order in which they are created.
  public let objects: [SchemaObject]
  /// The functions that an API's role may execute, as listed in `api.sql`.
  ///
  /// The list is empty if `api.sql` does not exist.
  ///
  /// Each version of the module has its own list, which may contain functions of other modules.
  public let api: [String]
  /// The statements for roles, grants and policies from `access/*.sql`, in order.
  ///
  /// Placeholders such as `{worker}` are replaced with role names.
  ///
  /// Each version of the module has its own statements.
  public let access: [Statement]

  /// Creates a schema module.
  public init(
    _ name: String, version: Int, migrations: [Statement], objects: [SchemaObject],
    api: [String] = [],
    access: [Statement] = []
  ) {
    self.access = access
    self.name = name
    self.version = version
    self.migrations = migrations
    self.objects = objects
    self.api = api
  }
}

/// A function, view or trigger of a schema module.
///
/// The statement of an object replaces an existing object with the same name.
public struct SchemaObject: Sendable {
  /// The kind of an object.
  ///
  /// The raw value is the singular of the folder's name, for example `function` for the `functions`
  /// folder.
  public enum Kind: String, Sendable, CaseIterable {
    /// A function in any language.
    case function
    /// A view.
    case view
    /// A trigger on one table.
    case trigger
  }

  /// The object's kind.
  public let kind: Kind
  /// The object's name, which is unique among the objects of this kind in the schema.
  public let name: String
  /// The table of a trigger, or an empty string for other objects.
  public let table: String
  /// The `create or replace` statement, and additional statements for the object.
  public let statement: Statement

  /// Creates an object.
  public init(_ kind: Kind, _ name: String, table: String = "", _ statement: Statement) {
    self.kind = kind
    self.name = name
    self.table = table
    self.statement = statement
  }
}

/// All statements that the program sends, with the SQL text of the `.sql` files.
///
/// The `EmbedSQL` plugin generates the members. The `sql/orders/shipping/list_late.sql` file
/// becomes `SQL.Shipping.listLate`.
public enum SQL {}
