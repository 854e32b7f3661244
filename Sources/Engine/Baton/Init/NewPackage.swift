import BatonTemplate
import Foundation

/// A package on Baton to create: the example's files, under a new name.
struct NewPackage {
  /// Where the new package finds Baton.
  enum Source: Equatable {
    /// A checkout, as a path relative to the package's folder.
    case path(String)
    /// A placeholder for an address, which the user must still replace.
    case address

    /// The start of a link to one of Baton's documents.
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

  /// The placeholder that docs/guides/your-own.md uses.
  static let address = "https://HOST/baton"

  let name: PackageName
  let source: Source

  /// All files, with their paths in the package.
  var files: [File] {
    Template.files.map { path, text in
      var text = text
      if path == "Package.swift", source == .address {
        text = text.replacing(
          #/ *// By path[^\n]*\n/#, with: "  // Put the host of your Baton here.\n"
        )
        .replacing(
          ".package(name: \"baton\", path: \"../..\", traits: [])",
          with: ".package(url: \"\(Self.address)\", from: \"0.1.0\", traits: [])")
      } else if path == "Package.swift", case .path(let checkout) = source {
        text = text.replacing("path: \"../..\"", with: "path: \"\(checkout)\"")
      }
      text = text.replacing("](../../", with: "](\(source.documents)")
      return File(path: renamed(path), text: renamed(text))
    }
  }

  /// Replaces the example's name in its three forms: the module, the schema module, and the name as it is typed.
  private func renamed(_ text: String) -> String {
    text.replacing("SQL.orders", with: "SQL.\(name.part)")
      // The name of the schema, or of a table in it.
      .replacing(/\borders(?=\.[a-z]|_)/, with: name.schema)
      .replacing("schema `orders`", with: "schema `\(name.schema)`")
      .replacing("Orders", with: name.type)
      .replacing("orders", with: name.text)
  }

  /// Writes the whole package or nothing: it is written to a temporary folder, which is then renamed.
  ///
  /// A process that is killed meanwhile leaves a folder whose name begins with a dot.
  ///
  /// - Throws: ``Complaint`` if the folder exists, or cannot be written.
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
      // Another process may have created it meanwhile.
      try refuse(target)
      throw Complaint(
        .output, what: "The package cannot be written: \(error.localizedDescription)",
        place: folder.path(percentEncoded: false),
        next: "Nothing of it is left. Make room, or go to a folder that you may write in.")
    }
  }

  /// Refuses a path that exists.
  ///
  /// - Throws: ``Complaint`` if there is anything at this path.
  func refuse(_ target: URL) throws(Complaint) {
    // A link to a missing file also counts.
    let path = target.path(percentEncoded: false)
    guard (try? FileManager.default.attributesOfItem(atPath: path)) == nil else {
      throw Complaint(
        .usage, what: "There is a '\(name.text)' already; nothing was changed.", place: path,
        next: "Give another name, or go to another folder.")
    }
  }
}
