//! One page out of the style sheets and scripts of `web/`, at compile time.

/// The page of this title, these style sheets and these scripts. Until its script has an answer it shows a skeleton.
macro_rules! page {
    ($title:literal, [$($style:literal),+], [$($script:literal),+]) => {
        concat!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
            "<title>", $title, "</title>\n<style>\n",
            $(include_str!(concat!("../web/", $style, ".css"))),+,
            "</style>\n</head>\n<body>\n",
            "<main aria-busy=\"true\"><h1 class=\"sr\">Waiting for the answer</h1><div class=\"skeleton\"></div></main>\n",
            "<p id=\"live\" class=\"sr\" role=\"status\"></p>\n<script>\n",
            $(include_str!(concat!("../web/", $script, ".js"))),+,
            "</script>\n</body>\n</html>\n",
        )
    };
}

pub(crate) use page;
