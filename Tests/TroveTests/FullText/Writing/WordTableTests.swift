// The table of a transaction's words, compared with a dictionary: also after it was cut back.

import LMDB
import Testing
import TroveTestSupport

@testable import Trove

struct WordTableTests {
    @Test func words_areFoundUntilTheyAreCutOff() {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        var table = WordTable()
        var numbers: [String: UInt64] = [:]
        var order: [String] = []
        var marks: [(mark: WordTable.Mark, count: Int)] = []
        for _ in 0..<4000 {
            switch Int.random(in: 0..<50, using: &generator) {
            case 0:
                marks.append((table.mark, order.count))
            case 1:
                guard let last = marks.popLast() else { continue }
                table.cut(to: last.mark)
                for word in order[last.count...] { numbers[word] = nil }
                order.removeLast(order.count - last.count)
            default:
                let word = String(
                    repeating: "w\(Int.random(in: 0..<3000, using: &generator))",
                    count: Int.random(in: 1...4, using: &generator))
                guard numbers[word] == nil else { continue }
                let number = UInt64(order.count + 1)
                ByteView.with(Array(word.utf8)) { bytes in
                    let index = table.add(bytes, table.hash(of: bytes), number: number, isNew: true)
                    #expect(index == order.count)
                }
                numbers[word] = number
                order.append(word)
            }
        }
        #expect(table.newWords == Array(order.indices), "seed \(seed)")
        for number in 0..<3000 {
            for count in 1...4 {
                let word = String(repeating: "w\(number)", count: count)
                let found = ByteView.with(Array(word.utf8)) { bytes in
                    table.index(of: bytes, table.hash(of: bytes)).map { table.entries[$0].number }
                }
                #expect(found == numbers[word], "\(word), seed \(seed)")
            }
        }
    }

    @Test func uses_areCountedByDocument() {
        var table = WordTable()
        let index = ByteView.with(Array("word".utf8)) { table.add($0, table.hash(of: $0), number: 1, isNew: false) }
        for place in 0..<3 {
            table.beginDocument()
            let first = table.use(index, next: place)
            let second = table.use(index, next: 9)
            #expect(first == (place, true) && second == (place, false))
        }
    }
}
