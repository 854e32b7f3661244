import BatonTemplate
import Foundation

/// A new package for a Baton program: a copy of the example package under a new name.
struct NewPackage {
  /// The location of Baton in the new package's dependencies.
  enum Source: Equatable {
    /// A Baton checkout, as a path relative to the package's folder.
    case path(String)
    /// A placeholder address, which the user must replace.
    case address

    /// The prefix of links to Baton's documentation.
    fileprivate var documents: String {
      switch self {
      case .path(let path): path + "/"
      case .address: NewPackage.address + "/blob/main/"
      }
    }
  }

  struct File: Equatable {
    let path: String
    let text: String
  }

  /// The placeholder address that docs/guides/your-own.md also uses.
  static let address = "https://HOST/baton"

  let name: PackageName
  let source: Source
  /// Whether the new program includes the HTTP server.
  ///
  /// The template does not include the HTTP server.
  var hasHTTP = true

  /// All files of the package, with paths relative to the package's folder.
  var files: [File] {
    Template.files.map { path, text in
      var text = text
      switch path {
      case "Package.swift": text = manifest(text)
      case "Sources/Orders/Orders.swift" where hasHTTP: text = servingHTTP(text)
      default: break
      }
      text = text.replacing("](../../", with: "](\(source.documents)")
      return File(path: renamed(path), text: renamed(text))
    }
  }

  /// Returns the template's manifest with the dependency on Baton.
  private func manifest(_ text: String) -> String {
    let (location, comment) =
      switch source {
      case .path(let path):
        (
          "name: \"baton\", path: \"\(path)\"",
          """
            // `path` is the path of the clone of Baton. `name` is set, because the folder of the clone can
            // have any name.
          """
        )
      case .address:
        (
          "url: \"\(Self.address)\", from: \"0.1.0\"",
          "  // Replace HOST with the host of your Baton repository."
        )
      }
    let traits =
      hasHTTP
      ? (option: "", comment: "")
      : (
        option: ", traits: []",
        comment: "\n  // With `traits: []`, this package does not depend on the packages for HTTP."
      )
    let text = text.replacing(
      #/ *// `path` is[^\n]*\n *// [^\n]*\n/#, with: "\(comment)\(traits.comment)\n"
    )
    .replacing(
      ".package(name: \"baton\", path: \"../..\", traits: [])",
      with: ".package(\(location)\(traits.option))")
    guard hasHTTP else { return text }
    let product = "        .product(name: \"BatonPostgres\", package: \"baton\"),\n"
    return text.replacing(
      product,
      with: "        .product(name: \"BatonOperations\", package: \"baton\"),\n" + product)
  }

  /// Returns the code of the template's program, with the HTTP server added.
  private func servingHTTP(_ text: String) -> String {
    text.replacing("import Baton\n", with: "import Baton\nimport BatonOperations\n")
      .replacing(
        "  static let parts =",
        with: "  static let http: (any HTTPFront)? = OperationsServer()\n  static let parts =")
  }

  /// Replaces the names of the example's module, schema module, schema and package.
  private func renamed(_ text: String) -> String {
    text.replacing("SQL.orders", with: "SQL.\(name.part)")
      // In the template, the schema's name is followed by a dot and a table's name, or by an
      // underscore.
      .replacing(/\borders(?=\.[a-z]|_)/, with: name.schema)
      .replacing("schema `orders`", with: "schema `\(name.schema)`")
      .replacing("Orders", with: name.type)
      .replacing("orders", with: name.text)
  }

  /// Writes either the whole package or nothing.
  ///
  /// The files are written to a temporary folder, which is then renamed. If the process is killed
  /// before the rename, a temporary folder whose name starts with a dot remains.
  ///
  /// - Throws: ``Complaint`` if the folder exists or cannot be written.
  func write(in folder: URL) throws(Complaint) {
    let target = folder.appending(path: name.text)
    let manager = FileManager.default
    try refuse(target)
    let beside = folder.appending(path: ".\(name.text)-\(UUID().uuidString)")
    do {
      for file in files {
        let url = beside.appending(path: file.path)
        try manager.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(file.text.utf8).write(to: url)
      }
      try manager.moveItem(at: beside, to: target)
    } catch {
      try? manager.removeItem(at: beside)
      // Another process may have created the folder since `write` first checked the path.
      try refuse(target)
      throw Complaint(
        .output, what: "The package cannot be written: \(error.localizedDescription)",
        place: folder.path(percentEncoded: false),
        next: "No file is left. Free disk space, or go to a writable folder.")
    }
  }

  /// Throws an error if a file or folder exists at the new package's path.
  ///
  /// - Throws: ``Complaint`` if a file or folder exists at this path.
  func refuse(_ target: URL) throws(Complaint) {
    // The attributes are read, because `fileExists` returns false for a link to a missing file.
    let path = target.path(percentEncoded: false)
    guard (try? FileManager.default.attributesOfItem(atPath: path)) == nil else {
      throw Complaint(
        .usage, what: "'\(name.text)' already exists; nothing was changed.", place: path,
        next: "Give another name, or go to another folder.")
    }
  }
}
