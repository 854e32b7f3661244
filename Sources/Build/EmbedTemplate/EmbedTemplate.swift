import Foundation
import PackagePlugin

/// Turns the files of a package into one generated Swift file, from which `init` writes a package with another name.
///
/// The target's folder is that package, so SwiftPM notices a changed file; the package itself is not compiled here.
@main
struct EmbedTemplate: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? any SourceModuleTarget else { return [] }
    // SwiftPM does not list hidden files.
    let hidden = target.directoryURL.appending(path: ".gitignore")
    // All files are inputs, including files that a build of the package wrote, such as Package.resolved.
    let files = target.sourceFiles.map(\.url) + [hidden]
    let manifest = context.package.directoryURL.appending(path: "Package.swift")
    let output = context.pluginWorkDirectoryURL.appending(path: "Template.swift")
    return [
      .buildCommand(
        displayName: "Embedding \(files.count) files of \(target.directoryURL.lastPathComponent)",
        executable: try context.tool(named: "EmbedTemplateTool").url,
        arguments: [target.directoryURL.path(), output.path(), manifest.path()]
          + files.map { $0.path() },
        inputFiles: files + [manifest],
        outputFiles: [output])
    ]
  }
}
