// The commands of a backup of what has changed: `trove copy --since` and `trove apply`.

#if CommandLine
import Foundation
import Testing
import Trove
import TroveTestSupport

@IndexKeyRecord("id")
private struct Crate: Equatable {
    #Index<Crate>(\.town)

    let id: Int
    var town: String
}

@Suite struct ApplyCommandTests {
    private let directory: TemporaryDirectory
    private let store: Store
    private let backup: String

    init() throws {
        directory = try TemporaryDirectory()
        store = try Store(
            path: directory.path("crates.trove"), records: [Crate.self],
            options: StoreOptions(durability: .noSync, history: .keep()))
        try store.insert(Crate(id: 1, town: "Ulm"))
        backup = directory.path("backup.trove")
        try store.copy(to: backup)
        try store.insert(Crate(id: 2, town: "Kiel"))
        try store.delete(Crate.self, key: 1)
    }

    private func records(of path: String) throws -> [String] {
        let result = try trove("dump", path, "Crate", "--json")
        #expect(result.code == 0)
        return result.lines
    }

    private func copyChanges() throws -> String {
        let changes = directory.path("monday.changes")
        let result = try shell(
            "trove copy '\(store.path)' '\(changes)' --since \"$(trove history '\(backup)' --token)\"")
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.output.contains("TroveCLITests.Crate: 1 record copied"))
        return changes
    }

    @Test func aBackup_isBroughtUpToDate() throws {
        let changes = try copyChanges()
        let applied = try trove("apply", changes, backup)
        #expect(applied.code == 0)
        #expect(applied.lines == ["\(backup): 2 commits applied; 1 record stored, 1 removed"])
        #expect(try records(of: backup) == records(of: store.path))
        #expect(try trove("verify", backup).code == 0)
        // The second time, and by the store itself.
        for source in [changes, store.path] {
            let again = try trove("apply", source, backup, "--json")
            #expect(again.code == 0)
            let verdict = try #require(
                try JSONSerialization.jsonObject(with: Data(again.lines.joined().utf8)) as? [String: Any])
            #expect(verdict["verdict"] as? String == "applied")
            #expect((verdict["applied"] as? [String: Int]) == ["commits": 0, "stored": 0, "removed": 0])
        }
        let opened = try Store(path: backup, records: [Crate.self])
        #expect(try Crate.filter(\.town == "Kiel").resolve(in: opened) == [Crate(id: 2, town: "Kiel")])
        #expect(try opened.check() == [])
    }

    @Test func aFileOfChanges_canBeRead_butNotWritten() throws {
        let changes = try copyChanges()
        #expect(try records(of: changes).count == 1)
        #expect(try trove("info", changes).code == 0)
        #expect(try trove("verify", changes).code == 0)
        #expect(try trove("check", changes).code == 0)
        #expect(try trove("history", changes).lines.filter { $0.hasPrefix("  ") }.count == 3)
        let loaded = try shell("trove dump '\(store.path)' --all | trove load '\(changes)'")
        #expect(loaded.code == 2)
        #expect(loaded.errors.contains("trove apply"))
    }

    @Test func whatDoesNotContinueTheCopy_isAnError() throws {
        let changes = try copyChanges()
        let other = directory.path("other.trove")
        do {
            let other = try Store(path: other, records: [Crate.self], options: StoreOptions(history: .keep()))
            try other.insert(Crate(id: 1, town: "Ulm"))
        }
        let refused = try shell("trove apply '\(changes)' '\(other)'")
        #expect(refused.code == 2)
        #expect(refused.errors.contains("another store"))
        #expect(try trove("apply", changes, directory.path("none.trove")).code == 2)
        #expect(!FileManager.default.fileExists(atPath: directory.path("none.trove")))
        do {
            let written = try Store(path: backup, records: [Crate.self])
            try written.insert(Crate(id: 3, town: "Bonn"))
        }
        let before = try records(of: backup)
        #expect(try trove("apply", changes, backup).code == 2)
        #expect(try records(of: backup) == before)
    }

    @Test func wrongArguments_areRefused() throws {
        let path = directory.path("x.changes")
        #expect(try trove("copy", store.path, path, "--since", "monday").code == 64)
        let token = try store.read { try $0.historyToken }.rawValue
        #expect(try trove("copy", store.path, path, "--since", token, "--compact").code == 64)
        let plain = try Store(path: directory.path("plain.trove"), records: [Crate.self])
        #expect(try trove("copy", plain.path, path, "--since", token).code == 2)
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
#endif
