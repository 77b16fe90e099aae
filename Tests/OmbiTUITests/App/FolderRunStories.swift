import OmbiCore
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// The form before a folder is run, and runs with a rate, repeats, rows of data and an end at the first failure.
@Suite struct FolderRunStories {
    /// A story with the form of the folder `users`.
    private static func form() -> Story {
        var story = Story()
        story.choose("users")
        story.press("s")
        return story
    }

    @Test func `Tab goes through the form, and Space changes a choice`() {
        var story = Self.form()
        #expect(story.row(33).contains("Tab next"))
        story.press("Tab", "Tab")
        story.type("2")
        story.press("Down", "Down", "Space")
        #expect(story.screen.contains("◂ yes ▸"), "\(story.screen)")
        story.press("Up", "Down", "y", "n", "Space", "Enter")
        #expect(story.takeOrders().count == 1)
        #expect(story.screen.contains("at most 2 a second · to the first failure"), "\(story.screen)")
    }

    @Test func `a field that cannot be is chosen, with the reason`() {
        var story = Self.form()
        story.press("Tab", "Tab")
        story.type("0")
        story.press("Tab", "Tab", "Enter")
        #expect(story.screen.contains("✗ A number from 0.001 to 1000000, or nothing"), "\(story.screen)")
        story.replace(with: "10")
        story.press("Up")
        story.replace(with: "0")
        story.press("Enter")
        #expect(story.screen.contains("✗ A number from 1 to 33333"), "\(story.screen)")
        #expect(story.takeOrders().isEmpty)
    }

    @Test func `a rate begins the next request when the clock calls`() throws {
        var story = Self.form()
        story.type("3")
        story.press("Tab", "Tab")
        story.type("1")
        story.press("Enter")
        let effects = story.takeEffects()
        #expect(effects.count { if case .send = $0 { true } else { false } } == 1)
        let id = try #require(story.state.runs.batch?.id)
        #expect(effects.contains(.batchTick(id, after: .seconds(1))))
        story.time = .milliseconds(500)
        story.receive(.batchTick(id - 1))
        #expect(story.takeOrders().isEmpty, "the clock of an earlier run")
        story.time = .seconds(1)
        story.receive(.batchTick(id))
        #expect(story.takeOrders().map(\.request.name) == ["user by id"])
    }

    @Test func `the first failure cancels what waits and what runs`() {
        var story = Self.form()
        story.type("2")
        story.press("Tab", "Up", "Down", "Down", "Down", "Down", "Space", "Enter")
        let orders = story.takeOrders()
        #expect(orders.count == 2)
        story.end(orders[0].id, .failure("no route"))
        let effects = story.takeEffects()
        #expect(effects.contains(.cancel(orders[1].id)))
        #expect(!effects.contains { if case .send = $0 { true } else { false } })
        story.end(orders[1].id, .cancelled)
        #expect(story.screen.contains("3 of 3 done · 1 failed · 2 cancelled"), "\(story.screen)")
    }

    @Test func `each request is sent as often as the form says, and the next form proposes the same`() {
        var story = Self.form()
        story.press("Tab")
        story.type("2")
        story.press("Enter")
        var names: [String] = []
        for _ in 0..<6 {
            let orders = story.takeOrders()
            names += orders.map(\.request.name)
            for order in orders { story.pass(order.id) }
        }
        #expect(names == ["list users", "list users", "user by id", "user by id", "create user", "create user"])
        #expect(story.screen.contains("6 of 6 done · all passed"), "\(story.screen)")
        #expect(story.screen.contains("user by id (2 of 2)"))
        story.press("s")
        #expect(story.lines.contains { $0.contains("Times each             2") }, "\(story.screen)")
    }

    @Test func `several runs of one request go on at a time, and each ends its own row`() {
        var story = Self.form()
        story.type("3")
        story.press("Tab")
        story.type("3")
        story.press("Enter")
        let orders = story.takeOrders()
        #expect(orders.map(\.request.name) == ["list users", "list users", "list users"])
        #expect(story.screen.contains("↻ 3"))
        story.pass(orders[0].id)
        let next = story.takeOrders()
        #expect(next.map(\.request.name) == ["user by id"])
        #expect(story.screen.contains("1 of 9 done · 3 running"), "\(story.screen)")
        story.press("Esc", "q")
        #expect(story.screen.contains("Still running: the run of users, 1 of 9 done"), "\(story.screen)")
        story.press("n", "T", "Ctrl+X")
        let cancelled = story.takeEffects().compactMap { if case .cancel(let id) = $0 { id } else { nil } }
        #expect(cancelled == [orders[1].id, orders[2].id, next[0].id])
    }

    @Test func `the screen ticks until the last of several runs of one request has ended`() {
        var story = Self.form()
        story.type("2")
        story.press("Tab")
        story.type("2")
        story.press("Enter")
        let orders = story.takeOrders()
        #expect(orders.map(\.request.name) == ["list users", "list users"])
        story.press("Ctrl+X")
        story.end(orders[1].id, .cancelled)
        _ = story.takeEffects()
        story.receive(.tick)
        #expect(story.takeEffects().contains(.tick(after: Runs.tickInterval)), "the first run goes on")
        story.end(orders[0].id, .cancelled)
        _ = story.takeEffects()
        story.receive(.tick)
        #expect(!story.takeEffects().contains(.tick(after: Runs.tickInterval)))
    }

    @Test func `a file of data is read first, and all requests are sent for each row of it`() throws {
        var story = Self.form()
        story.press("Tab", "Tab", "Tab")
        story.type("d.csv")
        story.press("Enter")
        let read = story.takeEffects().compactMap { if case .readData(let plan) = $0 { plan } else { nil } }
        var plan = try #require(read.first)
        #expect(plan.dataPath == "d.csv" && story.state.runs.batch == nil)
        plan.data = BatchData(try DataFile.rows(of: Array("name\nada\nbob\n".utf8), file: "d.csv"))
        story.receive(.dataRead(plan))
        let effects = story.takeEffects()
        #expect(effects.first == .forgetRows)
        let orders = effects.compactMap { if case .send(let order) = $0 { order } else { nil } }
        #expect(orders.map { $0.row?.number } == [1])
        #expect(story.screen.contains("list users (row 2)"), "\(story.screen)")
        story.press("Ctrl+X")
        story.end(orders[0].id, .cancelled)
        #expect(story.takeEffects().contains(.forgetRows))
    }

    @Test func `a file of data that cannot be read brings the form back, with what was typed`() throws {
        var story = Self.form()
        story.type("3")
        story.press("Tab", "Tab")
        story.type("25")
        story.press("Tab")
        story.type("no/such/d.csv")
        story.press("Enter")
        let read = story.takeEffects().compactMap { if case .readData(let plan) = $0 { plan } else { nil } }
        story.receive(try #require(read.first).readingData())
        #expect(story.screen.contains("✗ Cannot read no/such/d.csv"), "\(story.screen)")
        for line in ["At a time              3", "At most a second       25", "File of data           no/such/d.csv"] {
            #expect(story.screen.contains(line), "\(story.screen)")
        }
        // The cursor is on the path, which is replaced.
        story.type("d.csv")
        story.press("Enter")
        let again = story.takeEffects().compactMap { if case .readData(let plan) = $0 { plan } else { nil } }
        #expect(again.map(\.dataPath) == ["d.csv"] && again.map(\.run.concurrency) == [3])
    }

    @Test func `more requests than a table has room for are not begun`() throws {
        var story = Self.form()
        story.press("Tab")
        story.type("30000")
        story.press("Tab", "Tab")
        story.type("d.csv")
        story.press("Enter")
        let read = story.takeEffects().compactMap { if case .readData(let plan) = $0 { plan } else { nil } }
        var plan = try #require(read.first)
        plan.data = BatchData(try DataFile.rows(of: Array("name\nada\nbob\n".utf8), file: "d.csv"))
        story.receive(.dataRead(plan))
        #expect(story.takeOrders().isEmpty)
        #expect(
            story.state.notice?.text == "180000 requests are too many for a table of 100000; ombi run sends them")
    }
}
