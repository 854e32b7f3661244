import BatonPostgres
import BatonTemplate

/// The name of a new package, and the names that are derived from the package's name.
struct PackageName {
  /// The name of the package, its program and its folder, such as `shop-floor`.
  let text: String

  /// The name of the module and of the program's type, such as `ShopFloor`.
  var type: String {
    text.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
  /// The name of the schema module, as derived by the EmbedSQL plugin, such as `shopFloor`.
  var part: String { type.prefix(1).lowercased() + type.dropFirst() }
  /// The schema's name, as derived by ``Program/defaultSchema``, such as `shop_floor`.
  var schema: String { text.replacing("-", with: "_") }

  /// Creates a package name from a string.
  ///
  /// - Throws: ``Complaint`` if the string is not a valid package name.
  init(_ text: String) throws(Complaint) {
    self.text = text
    let isWord = text.wholeMatch(of: /[a-z][a-z0-9]*(-[a-z0-9]+)*/) != nil
    guard isWord, text.utf8.count <= 50, Schema(schema) != nil else {
      throw Complaint(
        .usage, what: "'\(text)' cannot be the name of a package.", place: "NAME",
        next: "Use lower-case letters and digits, in words with a - between them, 50 at most: "
          + "`shop`, `shop-floor`. It is also the name of the schema, so not `public`, `pg-...` or "
          + "a word that PostgreSQL reserves, such as `order`.")
    }
    let names = [type, type + "SQL", type + "Tests"].map { $0.lowercased() }
    guard Self.taken.isDisjoint(with: names), !Self.keywords.contains(part),
      !Self.wordsOfTemplate.contains(type)
    else {
      throw Complaint(
        .usage,
        what: "'\(text)' is already a name in Swift, Baton or the package's own code.",
        place: "NAME", next: "Use a different name, such as \(text)-jobs.")
    }
  }

  /// The names of Swift's modules, Baton's modules and the modules of Baton's dependencies, in
  /// lower case.
  ///
  /// A package must not have the name of an existing module, because a build cannot contain two
  /// modules with the same name.
  private static let taken = Set(
    Template.names.map { $0.lowercased() }
      + """
      argumentparser asyncalgorithms collections concurrencyhelpers foundation glibc httpfront \
      logging operationsserver servicelifecycle swift synchronization testing unixsignals xctest
      """.split(separator: " ").map(String.init))

  /// The Swift keywords, which cannot be names of values or types.
  private static let keywords = Set(
    """
    any as associatedtype await break case catch class continue default defer deinit do else enum \
    extension fallthrough false fileprivate for func guard if import in init inout internal is let \
    nil operator precedencegroup private protocol public repeat rethrows return self static struct \
    subscript super switch throw throws true try type typealias var where while
    """.split(separator: " ").map(String.init))

  /// The words in the template's Swift code, excluding comments.
  ///
  /// A package whose name is one of these words could hide a type in the template.
  private static var wordsOfTemplate: Set<String> {
    Set(
      Template.files.filter { $0.path.hasSuffix(".swift") }.flatMap { file in
        file.text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
          .flatMap { $0.matches(of: /\w+/).map { String($0.output) } }
      })
  }
}
