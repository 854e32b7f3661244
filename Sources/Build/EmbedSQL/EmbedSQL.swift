import Foundation
import PackagePlugin

/// Turns every `.sql` and `.pgbench` file below the target's folder into one generated Swift file.
///
/// It is attached to the target whose folder holds the files, because SwiftPM plans a plugin again only
/// when that target's own files change: on any other target an added file stays unnoticed.
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
