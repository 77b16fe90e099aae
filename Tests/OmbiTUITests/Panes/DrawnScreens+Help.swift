/// The help, and the first screen on a terminal without symbols.
extension DrawnScreens {
    static let helpWide = """
         demo › users › list users                                                                      local ▾  127.0.0.1:8765
        ╭┌─ Keys ─────────────────────────────────────────────────────────────────────────────────────────────────────────────┐╮
        ││ Response                                                  1                Go to the requests                      ││
        ││ ] Enter          Go to the next tab                       2                Go to the request                       ││
        ││ [                Go to the previous tab                   3                Go to the response                      ││
        ││ Left h           Scroll left                              z                Toggle full screen for this pane        ││
        ││ Right l          Scroll right                             Alt+Left         Move the divider left                   ││
        ││                                                           Alt+Right        Move the divider right                  ││
        ││ Lists and bodies                                          Alt+Up           Move the divider up                     ││
        ││ Up k             Move up                                  Alt+Down         Move the divider down                   ││
        ││ Down j           Move down                                y                Copy the response, or the URL of the    ││
        ││ PageUp           Move a page up                                            request                                 ││
        ││ PageDown Space   Move a page down                         Ctrl+L           Redraw the screen                       │┪
        ││ Ctrl+U           Move half a page up                      Ctrl+Z           Suspend Ombi (fg resumes it)            │┃
        ││ Ctrl+D           Move half a page down                    Esc              Leave full screen                       │┃
        ││ g Home           Go to the top                            : Ctrl+P         Find a command, a request or an         │┃
        ││ G End            Go to the end                                             environment                             │┃
        ││                                                           L                Show the message log                    │┃
        ││ Everywhere                                                F1               Open the manual                         │┃
        ││ s F5             Send the request; run the folder or      ?                Show this help                          │┃
        ││                  the collection                           q Ctrl+C         Quit, after a question about unsaved    │┃
        ││ x                Cancel the run                                            edits                                   │┃
        ││ r                Retry now: end the wait or the attempt                                                            │┃
        ││ +                Allow one more attempt                   Symbols                                                  │┃
        ││ E                Switch the environment                   ●                Has unsaved edits                       │┃
        ││ w                Save the collection                      ✓                Succeeded; valid; sent                  │┃
        ││ T                Show the run of the last folder          ✗                Failed; invalid; unreadable             │┃
        ││ u                Undo the last edit of the collection     ·                Switched off: not sent                  │┃
        ││ U Ctrl+R         Redo the edit undone last                ↻                Running; in the header: how many run    │┃
        ││ Tab              Go to the next pane                      ↑                Inherited; in a frame: more above       │┃
        ││ Shift+Tab        Go to the previous pane                  ↓                More below                              │┃
        │└────────────────────────────────────────────────────────────────────────────────────────────────────────────────────┘┃
        ╰──────────────────────────── 3/5 ─┺━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛
         / search  PageDown more  Esc close
        """

    static let helpSearch = """
         demo › users › list users                                                                      local ▾  127.0.0.1:8765
        ┏┌─ Keys ─────────────────────────────────────────────────────────────────────────────────────────────────────────────┐╮
        ┃│ /copy                                                                                                              ││
        ┃│                                                                                                                    ││
        ┃│ Requests                                                                                                           ││
        ┃│ Y                Copy the request as a URL or as curl                                                              ││
        ┃│                                                                                                                    ││
        ┃│ Everywhere                                                                                                         ││
        ┃│ y                Copy the response, or the URL of the                                                              ││
        ┃│                  request                                                                                           ││
        ┃│                                                                                                                    ││
        ┃│ Request                                                                                                            ││
        ┃│ Y                Copy the request as a URL or as curl                                                              │┤
        ┃│                                                                                                                    ││
        ┃│ Body                                                                                                               ││
        ┃│ y                Copy the value or line under the                                                                  ││
        ┃│                  cursor                                                                                            ││
        ┃│ Y                Copy the whole body                                                                               ││
        ┃│ C                Copy the path of the value under the                                                              ││
        ┃│                  cursor                                                                                            ││
        ┃│                                                                                                                    ││
        ┃│ Selected rows                                                                                                      ││
        ┃│ y                Copy the selected rows                                                                            ││
        ┃│                                                                                                                    ││
        ┃│ Editing a field                                                                                                    ││
        ┃│ Alt+c            Copy the selection, or the line                                                                   ││
        ┃│                                                                                                                    ││
        ┃│ Editing a body                                                                                                     ││
        ┃│ Alt+c            Copy the selection, or the line                                                                   ││
        ┃│                                                                                                                    ││
        ┃│                                                                                                                    ││
        ┃└────────────────────────────────────────────────────────────────────────────────────────────────────────────────────┘│
        ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 3/5 ━┹───────────────────────────────────────────────────────────────────────────────────╯
         Enter keep  Esc all keys
        """

    static let ascii = """
         demo > users > list users                              local v  127.0.0.1:8765
        + 1 Requests ==================================================================+
        | v demo                                                                     3 |
        |  v users                                                                   3 |
        |    GET   list users                                                          |
        |    GET   user by id                                                          |
        |    POST  create user                                                         |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        +======================================================================== 3/5 =+
         s send  Enter open  / search  a add  R rename  : commands  ? help  q quit
        """
}
