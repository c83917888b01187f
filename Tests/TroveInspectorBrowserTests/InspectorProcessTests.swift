// A process that ends does not keep its reader waiting.

import Foundation
import Testing
import TroveTestSupport

@Suite struct InspectorProcessTests {
    /// A process once inherited the output of `trove inspect`, which had ended. The test waited for a line for ever.
    @Test(.timeLimit(.minutes(60))) func theEndOfAProcess_endsItsLines() throws {
        let process = try ChildProcess(["-c", "sleep 3000 & echo $!; echo two"], executable: "/bin/sh")
        let sleeper = try #require(process.readLine().flatMap { Int32($0) })
        #expect(process.readLine() == "two")
        #expect(process.readLine() == nil)
        #expect(kill(sleeper, SIGKILL) == 0)
        #expect(process.wait() == 0)
    }

    @Test(.timeLimit(.minutes(60))) func anInspectorThatEnds_isAnError() throws {
        #expect(throws: BrowserError.self) { try InspectorProcess("none.trove", "--port", "70000") }
    }
}
