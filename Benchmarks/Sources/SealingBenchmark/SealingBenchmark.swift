// The times to seal and to open values of TroveCrypto, for Docs/Encryption.md: scripts/bench --sealing

import Foundation
import Trove
import TroveCrypto

@IndexKeyRecord("id")
struct Note {
    let id: Int
    var text: Sealed<String>?
    var card: Sealed<Card>?
}

/// Stored as JSON.
struct Card: Codable {
    var text: String
}

@main
enum SealingBenchmark {
    static func main() throws {
        let keys = try SealingKeys([UInt8](repeating: 7, count: 32))
        print("| value | seal | open |\n|---|---:|---:|")
        for size in [100, 1000, 4096] {
            let text = String(repeating: "s", count: size)
            let sealed = try keys.seal(text, in: \Note.text, of: 7)
            let seal = try measure { try keys.seal(text, in: \Note.text, of: 7).opaqueBytes.count }
            let open = try measure { try keys.open(sealed, in: \Note.text, of: 7).utf8.count }
            print("| a string of \(size) bytes | \(seal) µs | \(open) µs |")
        }
        let card = Card(text: String(repeating: "s", count: 100))
        let sealed = try keys.seal(card, in: \Note.card, of: 7)
        let seal = try measure { try keys.seal(card, in: \Note.card, of: 7).opaqueBytes.count }
        let open = try measure { try keys.open(sealed, in: \Note.card, of: 7).text.utf8.count }
        print("| 100 bytes as JSON | \(seal) µs | \(open) µs |")
    }

    /// Returns the median of nine rounds, in microseconds of the processor with two digits.
    private static func measure(_ body: () throws -> Int) rethrows -> String {
        let count = 20_000
        var rounds: [Double] = []
        var sum = 0
        for _ in 0..<9 {
            let start = clock()
            for _ in 0..<count { sum += try body() }
            rounds.append(Double(clock() - start) / Double(CLOCKS_PER_SEC) * 1e6 / Double(count))
        }
        precondition(sum > 0)
        let hundredths = Int((rounds.sorted()[4] * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }
}
