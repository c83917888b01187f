// The commits of the history that have changed a record.

#if Inspector
import Trove
import TroveTerminal

/// The commits of the history that have changed a record, the newest first.
struct RecordCommitsView {
    private let type: StoredType
    private let key: [UInt8]

    /// The maximum number of commits that are read, and of those that are shown.
    static let (readLimit, limit) = (1_000, 50)
    /// The size of changes after which no further commit is read, and at which a commit is cut.
    private static let byteLimit = 512 << 10

    init(_ type: StoredType, _ key: [UInt8]) {
        self.type = type
        self.key = key
    }

    /// Returns the commits; nothing if the store keeps no history.
    func html(_ snapshot: Snapshot, _ budget: inout Budget) throws -> HTML {
        guard snapshot.context.keepsHistory else { return HTML() }
        guard snapshot.context.keepsHistory(of: type) else {
            return section { Tag.p(.class("hint")) { "The history leaves out the changes of this type." } }
        }
        do {
            return try found(snapshot, &budget)
        } catch  where !error.endsPage {
            return section { ErrorPage.message(error) }
        }
    }

    private func found(_ snapshot: Snapshot, _ budget: inout Budget) throws -> HTML {
        var rows: [HTML] = []
        var (read, cut, size) = (0, 0, 0)
        var isWhole = true
        try snapshot.context.forEachHistoryResult(bytes: Self.byteLimit) { sequence, result in
            if read == Self.readLimit || rows.count == Self.limit || size >= Self.byteLimit || snapshot.isOld {
                isWhole = false
                return false
            }
            read += 1
            switch result {
            case .failure(let error): rows.append(try CommitView.row(sequence, error, columns: 3))
            case .success(let commit):
                size += commit.readBytes
                if let change = commit.storedChange(ofRecord: key, of: type) {
                    rows.append(row(commit, change))
                } else if commit.isCut {
                    cut += 1
                }
            }
            return true
        }
        let parts = budget.parts(of: rows) { $0 }
        return section {
            if rows.isEmpty {
                Tag.p(.class("empty")) { "No change of this record was found." }
            } else {
                CommitView.table(["Change"], parts)
            }
            Budget.hint(parts.count, of: rows.count, "commits")
            Tag.p(.class("hint")) {
                isWhole ? "The history has \(counted(read, "commit"))" : "The newest \(counted(read, "commit"))"
                (isWhole ? ", which " : " ") + (read == 1 ? "was read" : "were read")
                cut > 0 ? ", \(cut.grouped) of them in part. " : ". "
                Tag.a(.href(HistoryPage.address)) { "All commits" }
            }
        }
    }

    private func section(@HTMLBuilder _ content: () -> HTML) -> HTML {
        TroveInspector.html {
            Tag.h2(.id("record-commits")) { "Commits" }
            content()
        }
    }

    private func row(_ commit: HistoryCommit, _ change: StoredHistoryChange) -> HTML {
        Tag.tr {
            CommitView.cells(commit)
            Tag.td { CommitView.kind(change) }
        }
    }
}
#endif
