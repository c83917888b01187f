// The command as a user runs it: its output and its exit codes.

#if CommandLine
import Foundation
import LMDB
import Testing
import Trove
import TroveTestSupport

@IndexKeyRecord("number")
private struct Note: Hashable {
    let number: Int
    var text: String
}

/// A type with a custom encoding, whose layout is only a name.
private struct Money: RecordValue, Hashable {
    var cents: Int64

    static func describe(in layout: inout LayoutBuilder) { layout.append("Money") }
    static var fixedSize: Int? { 8 }
    var encodedSize: Int { 8 }

    func encode(into writer: inout ValueWriter) { cents.encode(into: &writer) }

    init(decoding reader: inout ValueReader) throws(CodingError) { cents = try Int64(decoding: &reader) }

    init(cents: Int64) { self.cents = cents }
}

@IndexKeyRecord("number")
private struct Payment: Hashable {
    let number: Int
    var sum: Money
}

@Suite struct TroveCommandTests {
    private let directory: TemporaryDirectory
    private let path: String
    private let damaged: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("notes.trove")
        damaged = directory.path("damaged.trove")
        let store = try Store(path: path, options: StoreOptions(durability: .noSync))
        try store.insert(contentsOf: (0..<1000).map { Note(number: $0, text: "note \($0)") })
        var file = try RawFile(path)
        let leaf = file.leaves(below: file.root(file.record(ofTable: 0)))[1]
        file.bytes[file.value(leaf, 3) + 9] ^= 1
        try file.write(to: damaged)
    }

    @Test func aSoundStore_ends0() throws {
        let (code, lines) = try trove("verify", path)
        #expect(code == 0)
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("TroveCLITests.Note: 1,000 records, ") == true)
        #expect(lines.last?.contains("notes.trove: sound; 1,000 records, ") == true)
    }

    @Test func aDamagedStore_ends1_andNamesThePlace() throws {
        let (code, lines) = try trove("verify", damaged)
        #expect(code == 1)
        let finding = try #require(lines.first)
        #expect(
            finding.wholeMatch(of: /page \d+, table [0-9A-F]{8}\.0\.0, entry 3, key number: \d+: .* \[checksum\]/)
                != nil)
        #expect(lines.last?.contains("damaged.trove: damaged, 1 finding; 1,000 records") == true)
        // The printed key leads to the record: a dump from there leaves it out, and a dump up to it has no damage.
        let key = try #require(finding.firstMatch(of: /key (number: \d+):/)?.output.1)
        #expect(try trove("dump", damaged, "Note", "--to", String(key)).code == 0)
        let dump = try trove("dump", damaged, "Note", "--from", String(key), "--limit", "1")
        let next = try #require(Int(key.dropFirst("number: ".count))) + 1
        #expect(dump.code == 1 && dump.lines == ["{\"number\":\(next),\"text\":\"note \(next)\"}"])
    }

    // MARK: info, dump and copy

    @Test func info_printsTypesAndSizes() throws {
        let (code, lines) = try trove("info", path)
        #expect(code == 0)
        #expect(lines.first?.hasPrefix("TroveCLITests.Note: 1,000 records, ") == true)
        #expect(lines[1] == "  keyPrefix: \(Note.keyPrefix)")
        #expect(lines[2].hasSuffix(": (number:Int64){text:String}"))
        #expect(lines.last?.contains("notes.trove: store ") == true)
        #expect(lines.last?.contains(", 1 commit, ") == true)
        let report = try jsonObject(trove("info", path, "--json").lines)
        #expect((report["types"] as? [[String: Any]])?.first?["records"] as? Int == 1000)
        #expect((report["types"] as? [[String: Any]])?.first?["keyPrefix"] as? Int == Int(Note.keyPrefix))
    }

    @Test func dump_printsRecords_inTheRangeThatIsAskedFor() throws {
        #expect(try trove("dump", path, "Note").lines.count == 1000)
        #expect(
            try trove("dump", path, "TroveCLITests.Note", "--from", "5", "--to", "8").lines == [
                #"{"number":5,"text":"note 5"}"#, #"{"number":6,"text":"note 6"}"#, #"{"number":7,"text":"note 7"}"#,
            ])
        #expect(
            try trove("dump", path, "Note", "--reverse", "--limit", "1").lines == [#"{"number":999,"text":"note 999"}"#]
        )
        #expect(
            try trove("dump", path, "Note", "--from", "number: 5", "--to", "(number: 6)").lines == [
                #"{"number":5,"text":"note 5"}"#
            ])
        #expect(try trove("dump", path, "Note", "--from", "-3", "--limit", "1").lines.count == 1)
        #expect(try trove("dump", path, "Other").code == 2)
        #expect(try trove("dump", path, "Note", "--from", "x").code == 2)
        #expect(try trove("dump", damaged, "Note").code == 1)
    }

    @Test func dump_printsTheRecordsThatMatch() throws {
        #expect(
            try trove("dump", path, "Note", "--where", "number >= 5", "--where", "text != note 6", "--limit", "2").lines
                == [#"{"number":5,"text":"note 5"}"#, #"{"number":7,"text":"note 7"}"#])
        #expect(
            try trove("dump", path, "Note", "--where", "text contains 99", "--reverse", "--format", "csv").lines == [
                "number,text\r", "999,note 999\r", "998,note 998\r", "997,note 997\r", "996,note 996\r",
                "995,note 995\r", "994,note 994\r", "993,note 993\r", "992,note 992\r", "991,note 991\r",
                "990,note 990\r", "899,note 899\r", "799,note 799\r", "699,note 699\r", "599,note 599\r",
                "499,note 499\r", "399,note 399\r", "299,note 299\r", "199,note 199\r", "99,note 99\r",
            ])
        let schema = try trove("dump", path, "Note", "--schema", "--where", "number < 3").lines
        #expect(schema.count == 6 && schema.last == #"["end",3]"#)
        #expect(try trove("dump", path, "Note", "--where", "number < 1", "--table").lines.count == 3)
        #expect(try trove("dump", path, "Note", "--where", "nmber < 1").code == 2)
        #expect(try trove("dump", path, "--all", "--where", "number < 1").code == 64)
    }

    /// All intact records are printed, in every form.
    @Test func dump_goesOnAfterADamagedRecord() throws {
        for arguments in ["Note", "Note --format csv", "Note --table", "--all", "Note --schema", "Note --json"] {
            let (code, output, errors) = try shell("trove dump '\(damaged)' \(arguments)")
            #expect(code == 1, "\(arguments)")
            let records = output.split(whereSeparator: \.isNewline).count { $0.contains("note ") }
            #expect(records == 999, "\(arguments): \(records)")
            #expect(errors.contains("its checksum differs") && errors.contains("trove salvage"), "\(errors)")
            #expect(errors.contains("1 damaged record was left out"), "\(errors)")
            #expect(!errors.contains("ignoringDamage"), "\(errors)")
        }
        // What is left can be loaded.
        let new = directory.path("rest.trove")
        #expect(try shell("trove dump --all '\(damaged)' 2>/dev/null | trove load '\(new)'").code == 0)
        #expect(try Note.query().count(in: Store(path: new)) == 999)
        let json = try trove("dump", damaged, "Note", "--json")
        #expect(json.lines.last?.contains(#""verdict":"damaged""#) == true)
    }

    // MARK: Output that cannot be written

    #if os(Linux)
    /// Neither a dump nor a report ends as if it were whole.
    @Test(arguments: [
        "dump STORE Note", "dump --all STORE", "dump STORE Note --format csv", "dump STORE Note --table",
        "dump STORE Note --limit 1", "info STORE", "info STORE --json", "verify STORE", "verify STORE --json",
        "check STORE", "migrations STORE", "copy STORE COPY", "rebuild STORE Note", "salvage STORE COPY",
        "load STORE LINES --type Note --replace", "--help", "dump --help", "--version",
    ])
    func outputToAFullDisk_ends2(line: String) throws {
        let lines = directory.path("lines.jsonl")
        try Data("{\"number\":1,\"text\":\"x\"}\n".utf8).write(to: URL(filePath: lines))
        let command = line.replacing("STORE", with: "'\(path)'").replacing("LINES", with: "'\(lines)'")
            .replacing("COPY", with: "'\(directory.path("full.trove"))'")
        let (code, _, errors) = try shell("trove \(command) > /dev/full")
        #expect(code == 2, "\(line)")
        #expect(
            errors.contains(
                "trove: Standard output could not be written: No space left on device. What has been printed is incomplete."
            ), "\(line): \(errors)")
        let closed = try shell("trove \(command.replacing("full.trove", with: "closed.trove")) >&-")
        #expect(closed.code == 2, "\(line): \(closed.errors)")
    }

    @Test func quietOutput_needsNoDisk() throws {
        #expect(try shell("trove verify '\(path)' --quiet > /dev/full").code == 0)
    }
    #endif

    @Test func copy_isAStore_andReplacesNothing() throws {
        let copy = directory.path("copy.trove")
        let (code, lines) = try trove("copy", path, copy, "--compact")
        #expect(code == 0)
        #expect(lines.first == "TroveCLITests.Note: 1,000 records copied")
        #expect(lines.last?.contains("copy.trove: copied and verified; 1,000 records, ") == true)
        #expect(try Note.query().count(in: Store(path: copy)) == 1000)
        #expect(try trove("copy", path, copy).code == 2)
        #expect(try trove("copy", damaged, directory.path("other.trove")).code == 1)
        #expect(!FileManager.default.fileExists(atPath: directory.path("other.trove")))
    }

    @Test func copy_asJSON_isItsReport() throws {
        let copy = directory.path("copy.trove")
        let output = try jsonObject(trove("copy", path, copy, "--json").lines)
        #expect(output["verdict"] as? String == "copied")
        let report = try #require(output["report"] as? [String: Any])
        #expect((report["path"] as? String)?.hasSuffix("/copy.trove") == true)
        #expect(report["identifier"] as? String == (try Store(path: path).identifier.uuidString))
        #expect(report["commitSequence"] as? Int == 1)
        #expect(report["size"] as? Int == (try Data(contentsOf: URL(filePath: copy)).count))
        let types = try #require(report["types"] as? [[String: Any]])
        #expect(types.first?["name"] as? String == "TroveCLITests.Note")
        #expect(types.first?["records"] as? Int == 1000)
    }

    @Test(arguments: ["info", "copy", "dump", "migrations", "check", "rebuild"])
    func aMissingStore_isNotMade(verb: String) throws {
        let missing = directory.path("missing.trove")
        #expect(try trove([verb, missing] + (["copy", "dump", "rebuild"].contains(verb) ? ["x"] : [])).code == 2)
        #expect(try !directory.names().contains { $0.hasPrefix("missing") })
    }

    @Test func aStoreInUse_isLookedAt() throws {
        let store = try Store(path: path, options: StoreOptions(durability: .noSync))
        try store.write { context in
            try context.insert(Note(number: 5000, text: "not committed"))
            #expect(try trove("dump", path, "Note", "--from", "5000").lines.isEmpty)
            let readers = try trove("info", path).lines.filter { $0.hasPrefix("process ") }
            #expect(!readers.isEmpty)
            #expect(
                readers.allSatisfy { $0.hasPrefix("process \(ProcessInfo.processInfo.processIdentifier) ") },
                "the command does not list itself")
        }
    }

    @Test func whatCannotBeRead_ends2() throws {
        let text = directory.path("text")
        try Data("text".utf8).write(to: URL(fileURLWithPath: text))
        for arguments in [["verify", directory.path("none")], ["verify", text], ["verify", directory.path]] {
            let (code, lines) = try trove(arguments[0], arguments[1])
            #expect(code == 2)
            #expect(lines.isEmpty)
        }
    }

    /// The verbs, with the arguments after the store.
    private var verbs: [(verb: String, rest: [String])] {
        [
            ("info", []), ("dump", ["Note"]), ("migrations", []), ("copy", [directory.path("copy.trove")]),
            ("verify", []), ("check", []), ("rebuild", ["Note"]), ("salvage", [directory.path("saved.trove")]),
        ]
    }

    @Test func everyVerb_quietly_printsNothing_andEndsAsEver() throws {
        for (verb, rest) in verbs {
            for (file, expected) in [(path, 0), (directory.path("none"), 2)] {
                let (code, lines) = try trove([verb, file] + rest + ["--quiet"])
                #expect(code == expected, "\(verb)")
                #expect(lines.isEmpty, "\(verb)")
            }
        }
    }

    @Test func everyVerb_asJSON_isJSON() throws {
        for (verb, rest) in verbs {
            let (code, lines) = try trove([verb, path] + rest + ["--json"])
            #expect(code == 0, "\(verb)")
            // Each record is a JSON object of its own.
            _ = try jsonObject(verb == "dump" ? [lines[0]] : lines)
        }
        for (verb, rest) in verbs where verb != "dump" {
            let output = try jsonObject(trove([verb, directory.path("none")] + rest + ["--json"]).lines)
            #expect(output["verdict"] as? String == "failed", "\(verb)")
        }
        #expect(try trove("dump", directory.path("none"), "Note").lines.isEmpty)
        // The error is the last line, after the records.
        let lines = try trove("dump", directory.path("none"), "Note", "--json").lines
        #expect(lines.count == 1)
        #expect(try jsonObject(lines)["verdict"] as? String == "failed")
    }

    /// Verbs that open the store end with the same code as for a damaged record.
    @Test func aTruncatedStore_ends1() throws {
        let cut = directory.path("cut.trove")
        let bytes = try Data(contentsOf: URL(filePath: path))
        try bytes.prefix(bytes.count / 2).write(to: URL(filePath: cut))
        for (verb, rest) in verbs where verb != "salvage" {
            #expect(try trove([verb, cut] + rest + ["--quiet"]).code == 1, "\(verb)")
        }
        #expect(try jsonObject(trove("info", cut, "--json").lines)["verdict"] as? String == "damaged")
    }

    @Test func wrongArguments_end64() throws {
        #expect(try trove("verify").code == 64)
        #expect(try trove("verify", path, "--loud").code == 64)
        #expect(try trove("salvage", path).code == 64)
        #expect(try trove("info", path, "x").code == 64)
        #expect(try trove("dump", path, "Note", "--table", "--json").code == 64)
        #expect(try trove("dump", path, "Note", "--limit=-1").code == 64)
    }

    @Test func quietly_onlyTheCodeSpeaks() throws {
        for (file, expected) in [(path, 0), (damaged, 1), (directory.path("none"), 2)] {
            let (code, lines) = try trove("verify", file, "--quiet")
            #expect(code == expected)
            #expect(lines.isEmpty)
        }
    }

    @Test func json_isTheReport() throws {
        struct Output: Decodable {
            var verdict: String
            var report: VerificationReport
        }
        let (code, lines) = try trove("verify", damaged, "--json")
        #expect(code == 1)
        let output = try JSONDecoder().decode(Output.self, from: Data(lines.joined(separator: "\n").utf8))
        #expect(output.verdict == "damaged")
        #expect(output.report == (try Store.verify(path: damaged)))
        #expect(output.report.findings.map(\.kind) == [.checksum])
        let failed = try trove("verify", directory.path("none"), "--json")
        #expect(failed.code == 2)
        #expect(failed.lines.contains { $0.contains("\"verdict\" : \"failed\"") })
    }

    @Test func anotherProgramsFile_ends2() throws {
        let foreign = directory.path("foreign.mdb")
        do {
            let environment = try Environment(path: foreign, options: EnvironmentOptions(durability: .noSync))
            _ = try environment.createDatabase("bell \u{7}")
        }
        let (code, lines) = try trove("verify", foreign)
        #expect(code == 2)
        #expect(lines.first?.hasPrefix("remark: ") == true)
        #expect(lines.last?.contains("but not a store") == true)
        #expect(!lines.joined().contains("\u{7}"))
        let json = try trove("verify", foreign, "--json")
        #expect(json.code == 2)
        #expect(json.lines.contains { $0.contains("\"verdict\" : \"no store\"") })
    }

    /// The name of a type is a text in the file, which may come from any program.
    @Test func whatATerminalWouldObey_isNeverPrinted() throws {
        let name = Array("TroveCLITests.Note".utf8)
        let hostile = Array("Trv\u{1B}[31m\u{9B}1m.N\n\u{7}te".utf8)
        #expect(hostile.count == name.count)
        do {
            let environment = try Environment(path: path, options: EnvironmentOptions(durability: .noSync))
            let catalog = try environment.openDatabase("trove")
            try environment.write { transaction in
                let key = [3] + (0..<4).map { UInt8(truncatingIfNeeded: Note.keyPrefix >> (24 - 8 * $0)) }
                var content = Array(try #require(try transaction.get(key, from: catalog)).dropFirst(4))
                let start = try #require(
                    content.indices.first { content[$0...].starts(with: name) })
                content.replaceSubrange(start..<start + name.count, with: hostile)
                var checksum = CRC32C()
                unsafe checksum.update((Array("trove".utf8) + key + content).span.bytes)
                let seal = (0..<4).map { UInt8(truncatingIfNeeded: checksum.value >> (8 * $0)) }
                try transaction.put(seal + content, for: key, in: catalog)
            }
        }
        for arguments in [
            ["info", path], ["info", path, "--json"], ["verify", path], ["verify", path, "--json"],
            ["salvage", path, directory.path("new.trove")], ["copy", path, directory.path("copy.trove")],
            ["migrations", path], ["migrations", path, "--json"],
        ] {
            let (code, lines) = try trove(arguments)
            #expect(code == 0)
            let scalars = lines.joined().unicodeScalars
            #expect(scalars.allSatisfy { $0.properties.generalCategory != .control }, "\(arguments[0])")
            #expect(lines.contains { $0.contains("[31m") })
        }
    }

    @Test func aFieldThatOnlyItsTypeCanRead_ends2() throws {
        try Store(path: path, options: StoreOptions(durability: .noSync)).insert(
            Payment(number: 1, sum: Money(cents: 5)))
        #expect(try trove("dump", path, "Payment").code == 2)
        #expect(try trove("info", path).lines.contains { $0.hasSuffix(": (number:Int64){sum:Money}") })
        #expect(try trove("verify", path).code == 0)
    }

    @Test func salvage_ends0_whereNothingIsLost() throws {
        let (code, lines) = try trove("salvage", path, directory.path("new.trove"))
        #expect(code == 0)
        #expect(lines.first == "TroveCLITests.Note: 1,000 records copied")
        #expect(lines.last?.contains("everything was copied; 1,000 records") == true)
        let store = try Store(path: directory.path("new.trove"))
        #expect(try Note.query().count(in: store) == 1000)
    }

    @Test func salvage_ends1_whereSomethingIsLost() throws {
        let (code, lines) = try trove("salvage", "--stray", damaged, directory.path("new.trove"))
        #expect(code == 1)
        #expect(lines.contains("TroveCLITests.Note: 999 records copied of 1,000, 1 damaged"))
        #expect(lines.last?.contains("something was lost; 999 records") == true)
        #expect(try trove("verify", directory.path("new.trove")).code == 0)
    }

    @Test func salvage_ends2_whereNothingCanBeWritten() throws {
        for destination in [path, directory.path("no/such/directory.trove")] {
            let (code, lines) = try trove("salvage", damaged, destination)
            #expect(code == 2)
            #expect(lines.isEmpty)
        }
        #expect(try trove("verify", path).code == 0)
    }
}
#endif
