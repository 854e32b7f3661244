import Foundation
import PackagePlugin

/// Generates one Swift file from the files of a template package.
///
/// The `init` command uses the generated file to create a package with a name chosen by the user.
/// The target's folder contains the template, so SwiftPM notices changes to the template's files.
@main
struct EmbedTemplate: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? any SourceModuleTarget else { return [] }
    // SwiftPM does not list hidden files, so the template's hidden files are added explicitly.
    let hidden = [".dockerignore", ".github/workflows/test.yml", ".gitignore"].map {
      target.directoryURL.appending(path: $0)
    }
    // `files` also contains results of building the template, such as Package.resolved.
    let files = target.sourceFiles.map(\.url) + hidden
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
