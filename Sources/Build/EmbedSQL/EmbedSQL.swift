import Foundation
import PackagePlugin

/// Generates one Swift file from all `.sql` and `.pgbench` files in the target's folder.
///
/// Attach the plugin to the target whose folder contains the SQL files. SwiftPM reruns a plugin
/// only if files change in the target to which it is attached.
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
