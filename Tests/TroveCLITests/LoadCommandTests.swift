// `trove dump --all` and `trove load` as a user runs them.

#if CommandLine
import Foundation
import LMDB
import Testing
import Trove
import TroveTestSupport

@IndexKeyRecord("number")
private struct Card: Hashable {
    #Unique<Card>(\.title, collisions: .throw)

    let number: Int
    var title: String
    var due: Date?
}

@IndexKeyRecord("id")
private struct Tagged: Hashable {
    let id: Int
    var tags: [String: Int]
}

@IndexKeyRecord("id")
private struct Part {
    #Index<Part>(\.size)

    let id: Int
    var size: Int
}

@Suite struct LoadCommandTests {
    private let directory: TemporaryDirectory
    private let path: String
    private let new: String
    private let cards = (0..<200).map { number in
        Card(number: number, title: "card \"\(number)\"\n", due: number % 3 == 0 ? nil : .distantPast)
    }

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("cards.trove")
        new = directory.path("new.trove")
        let store = try Store(path: path, options: StoreOptions(durability: .noSync))
        try store.insert(contentsOf: cards)
        try store.insert(contentsOf: [Tagged(id: 1, tags: [:]), Tagged(id: 2, tags: ["a": 1])])
    }

    private func write(_ lines: [String], _ name: String) throws -> String {
        let path = directory.path(name)
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
        return path
    }

    @Test func aDump_throughAPipe_isTheSameStore() throws {
        let trove = try ChildProcess.locate("trove").path
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", "'\(trove)' dump --all '\(path)' | '\(trove)' load '\(new)' --quiet"]
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0)
        #expect(try TroveCLITests.trove("verify", new).code == 0)
        #expect(try TroveCLITests.trove("dump", "--all", new).lines == TroveCLITests.trove("dump", "--all", path).lines)
        let store = try Store(path: new, records: [Card.self, Tagged.self])
        #expect(try Card.query().resolve(in: store) == cards)
        #expect(try Tagged.query().count(in: store) == 2)
        #expect(try store.check().isEmpty)
    }

    @Test func theReport_isLines_orJSON() throws {
        let dump = try write(trove("dump", path, "Card", "--schema").lines, "dump.jsonl")
        let (code, lines) = try trove("load", new, dump)
        #expect(code == 0)
        #expect(lines == ["TroveCLITests.Card: 200 records loaded", "\(new): 200 records loaded"])
        let output = try jsonObject(trove("load", directory.path("json.trove"), dump, "--json").lines)
        #expect(output["verdict"] as? String == "loaded")
        let types = try #require((output["report"] as? [String: Any])?["types"] as? [[String: Any]])
        #expect(types.map { $0["loaded"] as? Int } == [200])
    }

    @Test func existingKeys_areRefused_replacedOrSkipped() throws {
        let dump = try write(
            [#"{"number":500,"title":"new","due":null}"#, #"{"number":1,"title":"changed"}"#], "cards.jsonl")
        #expect(try trove("load", path, dump, "--type", "Card").code == 2)
        #expect(try Card.query().count(in: Store(path: path)) == 200)
        #expect(
            try trove("load", path, dump, "--type", "Card", "--skip").lines == [
                "TroveCLITests.Card: 1 record loaded, 1 skipped", "\(path): 1 record loaded",
            ])
        #expect(try trove("load", path, dump, "--type", "Card", "--replace").code == 0)
        let store = try Store(path: path, records: [Card.self])
        #expect(try store.get(Card.self, key: 1)?.title == "changed")
        #expect(try store.check().isEmpty)
    }

    @Test func csv_isWrittenAndRead() throws {
        let process = try ChildProcess(["dump", path, "Card", "--format", "csv", "--limit", "2"], executable: "trove")
        var lines: [String] = []
        while let line = process.readLine() { lines.append(line) }
        #expect(
            lines == [
                "number,title,due\r", "0,\"card \"\"0\"\"", "\",\r", "1,\"card \"\"1\"\"",
                "\",0000-12-30T00:00:00Z\r",
            ])
        let csv = try write(lines, "cards.csv")
        let schema = try write(trove("dump", "--all", "--limit", "0", path).lines, "schema.jsonl")
        #expect(try trove("load", new, csv, "--format", "csv", "--type", "Card", "--schema", schema).code == 0)
        #expect(try Card.query().resolve(in: Store(path: new)) == Array(cards.prefix(2)))
        #expect(try trove("dump", path, "Tagged", "--format", "csv").code == 2)
    }

    @Test func whatFails_ends2_andLeavesNoFile() throws {
        let wrong = try write([#"{"number":"x","title":""}"#], "wrong.jsonl")
        #expect(try trove("load", path, wrong, "--type", "Card").code == 2)
        #expect(try trove("load", new, wrong).code == 2)
        #expect(try trove("load", new, directory.path("none")).code == 2)
        #expect(try trove("load", path, wrong, "--type", "Nothing").code == 2)
        let failed = try jsonObject(trove("load", path, wrong, "--type", "Card", "--json").lines)
        #expect(
            failed["error"] as? String
                == "line 1 (TroveCLITests.Card): number: expected Int64, not \"x\", at column 11.")
        #expect(!FileManager.default.fileExists(atPath: new))
    }

    /// Else the store's file would get the number of the closed stream, and the output would be written into it.
    @Test func closedStreams_doNoHarm() throws {
        let line = try write([#"{"number":1,"title":"changed"}"#], "card.jsonl")
        for streams in [">&-", "2>&-", "<&-", ">&- 2>&- <&-"] {
            _ = try shell("trove load '\(path)' '\(line)' --type Card --replace \(streams)")
            #expect(try Store.verify(path: path).isSound, "\(streams)")
        }
        #expect(try Store(path: path).get(Card.self, key: 1)?.title == "changed")
    }

    // MARK: What is not whole

    @Test func aCutDump_isRefused() throws {
        let (code, output, errors) = try shell("trove dump --all '\(path)' | head -100 | trove load '\(new)'")
        #expect(code == 2 && output.isEmpty)
        #expect(errors.contains("line 100: the dump is cut: its last line is missing"), "\(errors)")
        #expect(!FileManager.default.fileExists(atPath: new))
    }

    @Test func anEmptyText_isRefused() throws {
        let (code, _, errors) = try shell("trove load '\(new)' < /dev/null")
        #expect(code == 2 && errors.contains("the text is empty"), "\(errors)")
        // The first command has failed; the second one, too.
        #expect(try shell("trove dump --all '\(path)x' 2>/dev/null | trove load '\(new)'").code == 2)
        #expect(!FileManager.default.fileExists(atPath: new))
    }

    @Test func aDumpOfAnEarlierVersion_isLoaded_withAWarning() throws {
        var lines = try trove("dump", "--all", path).lines
        lines[0] = #"["trove",1]"#
        let dump = try write(lines.dropLast(), "old.jsonl")
        let (code, output, errors) = try shell("trove load '\(new)' '\(dump)'")
        #expect(code == 0 && output.contains("200 records loaded"))
        #expect(errors.contains("warning: the dump is of an earlier version of Trove"), "\(errors)")
        let report = try jsonObject(trove("load", directory.path("other.trove"), dump, "--json").lines)
        #expect((report["report"] as? [String: Any])?["mayBeIncomplete"] as? Bool == true)
    }

    @Test func aFileThatCannotBeRead_isNamedInASentence() throws {
        let missing = try shell("trove load '\(new)' '\(directory.path("none.jsonl"))'")
        #expect(missing.code == 2)
        #expect(
            missing.errors.hasPrefix("trove: There is no file at \(directory.path("none.jsonl"))."), "\(missing.errors)"
        )
        let folder = try shell("trove load '\(new)' '\(directory.path(""))'")
        #expect(folder.code == 2 && folder.errors.contains("is a directory"), "\(folder.errors)")
        let schema = try shell("trove load '\(new)' /dev/null --type A --schema '\(directory.path("none"))'")
        #expect(schema.code == 2 && schema.errors.hasPrefix("trove: There is no file at "), "\(schema.errors)")
        // Only the records can come from standard input.
        #expect(missing.errors.contains("or - for standard input"), "\(missing.errors)")
        #expect(!schema.errors.contains("standard input"), "\(schema.errors)")
        let input = try shell("trove load '\(new)' < '\(directory.path(""))'")
        #expect(input.code == 2 && input.errors.hasPrefix("trove: Standard input cannot be read: "), "\(input.errors)")
        for text in [missing, folder, schema, input].map(\.errors) {
            #expect(!text.contains("NS") && !text.contains("Domain"), "\(text)")
        }
    }

    // MARK: Words of the command

    @Test func errors_nameOptionsOfTheCommand() throws {
        let card = try write([#"{"number":1,"title":"x"}"#], "card.jsonl")
        let exists = try shell("trove load '\(path)' '\(card)' --type Card").errors
        #expect(
            exists.contains("line 1 (TroveCLITests.Card): A record of") && exists.contains("--replace"), "\(exists)")
        let unknown = try shell("trove load '\(new)' '\(card)' --type Card").errors
        #expect(unknown.contains("--schema") && !unknown.contains("after the last line"), "\(unknown)")
        let untyped = try shell("trove load '\(new)' '\(card)'").errors
        #expect(untyped.contains("--type"), "\(untyped)")
        let missing = try shell("trove info '\(path)x'").errors
        #expect(missing.contains("There is no store at \(path)x. Check the path."), "\(missing)")
        let duplicate = try write([#"{"number":900,"title":"card \"1\"\n"}"#], "duplicate.jsonl")
        let twice = try shell("trove load '\(path)' '\(duplicate)' --type Card").errors
        #expect(twice.contains("unique(title)") && !twice.contains("collision rule"), "\(twice)")
        for text in [exists, unknown, untyped, missing, twice] {
            for word in ["isReadOnly", "onConflict", "Store(", "records:"] { #expect(!text.contains(word), "\(text)") }
        }
    }

    // MARK: Indexes

    @Test func aLargeLoad_emptiesIndexes_unlessTheyAreKept() throws {
        let parts = directory.path("parts.trove")
        do { try Store(path: parts).insert(Part(id: -1, size: 0)) }
        let rows = try write(["id,size"] + (0..<10_500).map { "\($0),\($0)" }, "parts.csv")
        let (code, lines) = try trove("load", parts, rows, "--format", "csv", "--type", "Part")
        #expect(code == 0)
        #expect(lines[1].hasSuffix(", index(size): emptied"))
        #expect(lines[2].contains("a running program does without"))
        let kept = try trove("load", parts, rows, "--format", "csv", "--type", "Part", "--replace", "--keep-indexes")
        #expect(kept.code == 0 && kept.lines.count == 2)
        #expect(try Store(path: parts, records: [Part.self]).check().isEmpty)
    }

    @Test func wrongArguments_end64() throws {
        #expect(try trove("dump", path).code == 64)
        #expect(try trove("dump", path, "Card", "--all").code == 64)
        #expect(try trove("dump", path, "--all", "--table").code == 64)
        #expect(try trove("dump", path, "--all", "--from", "1").code == 64)
        #expect(try trove("dump", path, "Card", "--format", "csv", "--table").code == 64)
        #expect(try trove("dump", path, "Card", "--format", "xml").code == 64)
        #expect(try trove("load", path, "--replace", "--skip").code == 64)
        #expect(try trove("load", path, "--format", "csv").code == 64)
    }

    /// The catalog's entry has a correct checksum, and a layout that does not parse.
    @Test func aMalformedLayout_isDamage() throws {
        do {
            let environment = try Environment(path: path, options: EnvironmentOptions(durability: .noSync))
            let catalog = try environment.openDatabase("trove")
            func bytes(_ number: UInt32) -> [UInt8] {
                (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
            }
            try environment.write { transaction in
                let key = [4] + bytes(Tagged.keyPrefix) + bytes(Tagged.fieldsVersion)
                var content = Array(try #require(try transaction.get(key, from: catalog)).dropFirst(4))
                let brace = try #require(content.lastIndex(of: UInt8(ascii: "}")))
                content[brace] = UInt8(ascii: "]")
                var checksum = CRC32C()
                unsafe checksum.update((Array("trove".utf8) + key + content).span.bytes)
                let seal = (0..<4).map { UInt8(truncatingIfNeeded: checksum.value >> (8 * $0)) }
                try transaction.put(seal + content, for: key, in: catalog)
            }
        }
        let (code, lines) = try trove("verify", path)
        #expect(code == 1)
        #expect(lines.contains { $0.contains("TroveCLITests.Tagged is malformed: “(id:Int64){tags:[String:Int64]]”") })
        #expect(try trove("dump", path, "Tagged").code == 1)
        #expect(try trove("dump", path, "Card").code == 0)
    }
}
#endif
