import BatonTemplate
import Foundation

/// A package on Baton that is to be made: the example's files, under a name of its own.
struct NewPackage {
  /// Where the new package finds Baton.
  enum Source: Equatable {
    /// A checkout, as a path from the package's folder.
    case path(String)
    /// An address, where a person has still to say which.
    case address

    /// What stands before the path of a document of Baton's.
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

  /// As docs/guides/your-own.md has it.
  static let address = "https://HOST/baton"

  let name: PackageName
  let source: Source

  /// All files, by their paths in it.
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

  /// The example's name is in three forms: of the module, of the part of the schema, and as it is typed.
  private func renamed(_ text: String) -> String {
    text.replacing("SQL.orders", with: "SQL.\(name.part)")
      // A table of the schema, or a schema beside it.
      .replacing(/\borders(?=\.[a-z]|_)/, with: name.schema)
      .replacing("schema `orders`", with: "schema `\(name.schema)`")
      .replacing("Orders", with: name.type)
      .replacing("orders", with: name.text)
  }

  /// Writes all of it, or nothing: it is made beside and renamed.
  ///
  /// A process that is killed meanwhile leaves a folder whose name begins with a dot.
  ///
  /// - Throws: ``Complaint`` where the folder is there, or cannot be written.
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
      // Somebody else may have made it in the meantime.
      try refuse(target)
      throw Complaint(
        .output, what: "The package cannot be written: \(error.localizedDescription)",
        place: folder.path(percentEncoded: false),
        next: "Nothing of it is left. Make room, or go to a folder that you may write in.")
    }
  }

  /// - Throws: ``Complaint`` where there is anything of that name.
  func refuse(_ target: URL) throws(Complaint) {
    // A link that leads nowhere is something too.
    let path = target.path(percentEncoded: false)
    guard (try? FileManager.default.attributesOfItem(atPath: path)) == nil else {
      throw Complaint(
        .usage, what: "There is a '\(name.text)' already; nothing was changed.", place: path,
        next: "Give another name, or go to another folder.")
    }
  }
}
