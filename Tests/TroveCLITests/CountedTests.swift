// A noun agrees with its number.

import Testing
import TroveTerminal

@Suite struct CountedTests {
    @Test func one_isSingular() {
        #expect(counted(1, "difference") == "1 difference")
        #expect(counted(1, "entry", "entries") == "1 entry")
    }

    @Test func anyOtherNumber_isPlural() {
        #expect(counted(0, "difference") == "0 differences")
        #expect(counted(1000, "entry", "entries") == "1,000 entries")
    }
}
