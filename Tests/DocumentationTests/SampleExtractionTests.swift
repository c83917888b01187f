// The conversion of Markdown to Swift: blocks to run, blocks to compile only, and blocks to leave out.

import Testing

@testable import DocumentationSamples

@Suite struct SampleExtractionTests {
    @Test func blocksOfASection_becomeOneProgram() throws {
        let file = try generate(
            """
            # Title

            ## First, second

            ```swift
            import Trove

            @IndexKeyRecord("name")
            public struct Person {
                let name: String
            }

            let store = try Store(path: "people.trove")
            ```

            ```swift
            print(store.path.count)  // 12
            let other = try Store(
                path: "other.trove", records: [])
            let old = ["old": .file("old.sqlite")]
            try store.exportSQLite(to: "out.sqlite", types: [])
            ```
            """)
        #expect(file.name == "Guide_FirstSecond.swift")
        #expect(file.text.contains("@IndexKeyRecord(\"name\")\nprivate struct Person {\n    let name: String\n}\n"))
        #expect(file.text.contains("let store = try Store(path: samplePath(\"people.trove\"))\n"))
        #expect(file.text.contains("    path: samplePath(\"other.trove\"), records: [])\n"))
        #expect(file.text.contains("[\"old\": .file(samplePath(\"old.sqlite\"))]\n"))
        #expect(file.text.contains("exportSQLite(to: samplePath(\"out.sqlite\"), types: [])\n"))
        #expect(file.text.contains("expectOutput(store.path.count, is: #\"12\"#, at: \"Docs/Guide.md:17\")"))
        #expect(file.text.contains("_ = store\n"))
        #expect(file.text.contains("static func run() throws {"))
    }

    @Test func blocksFromTheFirstThatAwaits_areAsync() throws {
        let file = try generate("```swift\na()\n```\n```swift\ntry await b()\n```\n```swift\nc()\n```")
        #expect(file.text.contains("static func run() async throws {"))
        #expect(file.text.contains("\n        a()\n        return {\n"))
        #expect(file.text.contains("\n            try await b()\n"))
        #expect(file.text.contains("\n            c()\n"))
    }

    @Test func extensions_takeNoAccessModifier() throws {
        let file = try generate("```swift\nextension Person: Sendable {}\n```")
        #expect(file.text.contains("\nextension Person: Sendable {}\n"))
    }

    @Test func setup_isCompiledThoughReadersDoNotSeeIt() throws {
        let file = try generate("<!-- sample: setup\nlet store = 1\n-->\n\n```swift\nprint(store)\n```")
        #expect(file.text.contains("let store = 1\n"))
    }

    @Test func samplesOfTroveCrypto_areLeftOutWithoutTheTrait() throws {
        let file = try generate("```swift\nimport TroveCrypto\n\nlet sealed = 1\nprint(sealed)  // 1\n```")
        let parts = file.text.split(separator: "\n#else\n")
        #expect(parts.count == 2)
        let start = try #require(parts[0].firstRange(of: "\n#if canImport(CryptoKit) || Encryption\n"))
        let sample = parts[0][start.upperBound...]
        #expect(sample.contains("\nimport TroveCrypto\n"))
        #expect(sample.contains("let sealed = 1\n"))
        #expect(parts[1] == "enum Guide_Introduction {\n    @Sendable static func run() {}\n}\n#endif\n")
    }

    @Test func continues_joinsASectionToTheOneBefore() throws {
        let files = try SampleFile.files(for: [
            ("a.md", "# A\n```swift\na()\n```\n## B\n## C\n<!-- sample: continues -->\n```swift\nb()\n```\n# D\n")
        ])
        #expect(files.map(\.name) == ["A_A.swift", "AllSamples.swift"])
        #expect(files.first?.text.contains("a()\n        // a.md:9\n        b()\n") == true)
    }

    @Test func notRun_isCompiledInAFunctionWithoutCallers() throws {
        let file = try generate("<!-- sample: not run, it deletes all -->\n```swift\na()\n```")
        #expect(file.text.contains("func compiledOnly1() throws {"))
    }

    @Test func notCompiled_isLeftOut() throws {
        let files = try SampleFile.files(for: [
            ("Docs/Guide.md", "<!-- sample: not compiled, it shows an error -->\n```swift\na()\n```\n```sh\nls\n```")
        ])
        #expect(files.map(\.name) == ["AllSamples.swift"])
    }

    @Test(arguments: [
        "<!-- sample: forgotten -->\n```swift\na()\n```", "```swift\nlet a = 1", "<!-- sample: setup\nlet a = 1",
        "<!-- sample: not run, reason -->",
    ])
    func mistakes_areErrors(_ text: String) {
        #expect(throws: SampleSection.ReadingError.self) { try SampleSection.sections(inMarkdown: text) }
    }

    private func generate(_ markdown: String) throws -> SampleFile {
        let files = try SampleFile.files(for: [("Docs/Guide.md", markdown)])
        return try #require(files.first)
    }
}
