// The import of a CSV into a table, by the same code as `trove load`.

#if CommandLine
import Trove
import TroveSQL
import TroveStemming

/// The import of records from files.
struct RecordImporter {
    /// Whether indexes that only their program can maintain are emptied. Otherwise they are an error.
    let emptiesIndexes: Bool

    /// Loads the rows of a CSV into a table. Returns the result in lines.
    func load(_ path: String, into table: String, of store: Store) throws -> [String] {
        // The shell reads its statements from there.
        guard path != "-" else { throw ShellCommand.Failure(description: ".import needs the path of a file.") }
        let type = try store.read { try $0.sqlTables(named: [table])[0].type }
        let lines = try LineReader(path: path)
        let report = try store.load(
            .csv, type: type, keepsIndexes: !emptiesIndexes, analyzers: TextAnalyzer.languages, nextLine: lines.next)
        return report.typeLines
    }
}
#endif
