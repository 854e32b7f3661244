import Foundation
import PackagePlugin

/// Turns every `.sql` and `.pgbench` file below the target's folder into one generated Swift file.
///
/// The plugin is attached to the target whose folder contains the files. SwiftPM plans a plugin again only if files of
/// that target change, so with any other target an added file would remain unnoticed.
@main
struct EmbedSQL: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? any SourceModuleTarget else { return [] }
    let sources =
      target.sourceFiles(withSuffix: ".sql").map(\.url)
      + target.sourceFiles(withSuffix: ".pgbench").map(\.url)
    let output = context.pluginWorkDirectoryURL.appending(path: "SQL+\(target.name).swift")
    return [
      .buildCommand(
        displayName: "Embedding \(sources.count) SQL files of \(target.name)",
        executable: try context.tool(named: "EmbedSQLTool").url,
        arguments: [target.name, target.directoryURL.path(), output.path()]
          + sources.map { $0.path() },
        inputFiles: sources,
        outputFiles: [output])
    ]
  }
}
