import Foundation
import PackagePlugin

/// Turns the files of a package into one generated Swift file: what `init` writes under another name.
///
/// The target's folder is that package, so a changed file is noticed; nothing of it is compiled here.
@main
struct EmbedTemplate: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? any SourceModuleTarget else { return [] }
    // SwiftPM passes over what is hidden.
    let hidden = target.directoryURL.appending(path: ".gitignore")
    // All of them are inputs: what a build has left there, such as Package.resolved, is nobody's else.
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
