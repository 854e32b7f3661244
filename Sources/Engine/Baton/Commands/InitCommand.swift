import ArgumentParser
import BatonJobs
import Foundation

/// The `baton init` command, which creates a package.
struct InitCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Create a package with a program on Baton, in a folder of its name.",
    discussion: """
      The package has a job of each kind, a migration, triggers, a command, tests, a Dockerfile, a \
      systemd unit and a CI file. Start it with `swift run NAME dev`.
      """)

  @Argument(help: "The name: words of lower-case letters and digits, separated by -.")
  var name: String

  @Option(help: "A checkout of Baton to depend on; default: a URL whose host you have to fill in.")
  var path: String?

  @Flag(
    name: .customLong("without-http"),
    help: "Omit the HTTP server and its 20 packages, so that the first build takes less time.")
  var withoutHTTP = false

  @Flag(help: "Print the files without writing them.")
  var dryRun = false

  func run() async throws {
    try await Complaint.reportingErrors {
      let folder = URL(
        filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory)
      let package = NewPackage(
        name: try PackageName(name), source: try path.map { try checkout($0) } ?? .address,
        hasHTTP: !withoutHTTP)
      guard !dryRun else {
        try package.refuse(folder.appending(path: name))
        for file in package.files { Console.write("\(name)/\(file.path)") }
        return
      }
      try package.write(in: folder)
      Console.write(
        "made \(name)/: \(counted(package.files.count, "file")), described in its README.md")
      if package.source == .address {
        Console.write(
          "next: put the host of your Baton into Package.swift, then cd \(name) && swift run \(name) dev"
        )
      } else {
        Console.write("next: cd \(name) && swift run \(name) dev")
      }
    }
  }

  /// Returns the relative path from the new package to a Baton checkout.
  private func checkout(_ path: String) throws -> NewPackage.Source {
    let manifest = URL(filePath: path).appending(path: "Package.swift")
    guard let text = try? String(contentsOf: manifest, encoding: .utf8),
      text.contains(/Package\(\s*name: "baton"/), !path.contains(where: { "\"\\\n".contains($0) })
    else {
      throw Complaint(
        .noInput, what: "There is no checkout of Baton in '\(path)'.", place: "--path",
        next: "Name the folder of a clone, which contains Package.swift.")
    }
    let isAbsolute = path.hasPrefix("/")
    let trimmed = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    return .path(isAbsolute ? trimmed : "../\(trimmed)")
  }
}
