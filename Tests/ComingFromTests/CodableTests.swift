// Entities as JSON, in each form of their relations.

import Foundation
import Testing
import Trove
import TroveSpellings

@Suite("Coming from SwiftletModel: Codable")
struct CodableTests {
    private let trek = Trek(
        id: "ridge", climbers: .relation([.ravi]),
        entries: .appending(relation: [Entry(id: "1", text: "Fog", author: .id("ravi"), photo: .null)]),
        leaders: .ids(["ines"]))

    @Test func plain_hasObjectsAndIDs() throws {
        let encoder = JSONEncoder.prettyPrinting
        encoder.relationEncodingStrategy = .plain
        #expect(
            try trek.prettyDescription(with: encoder) == """
                {
                  "climbers" : [
                    {
                      "id" : "ravi",
                      "leaderOf" : null,
                      "name" : "Ravi",
                      "treks" : null
                    }
                  ],
                  "entries" : [
                    {
                      "answerTo" : null,
                      "answers" : null,
                      "author" : {
                        "id" : "ravi"
                      },
                      "correctedBy" : null,
                      "id" : "1",
                      "photo" : null,
                      "readBy" : null,
                      "text" : "Fog",
                      "trek" : null
                    }
                  ],
                  "id" : "ridge",
                  "leaders" : [
                    {
                      "id" : "ines"
                    }
                  ]
                }
                """)
    }

    @Test func explicitContainers_areReadBackAsTheyWere() throws {
        let encoder = JSONEncoder()
        encoder.relationEncodingStrategy = .explicitKeyedContainer
        let decoder = JSONDecoder()
        decoder.relationDecodingStrategy = .explicitKeyedContainer
        let copy = try decoder.decode(Trek.self, from: encoder.encode(trek))
        #expect(copy == trek)
        #expect(copy.$entries.isSlice)
        #expect(copy.entries?.first?.$photo.isNull == true)
    }
}
