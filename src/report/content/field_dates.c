/* Reads dates as fields have them: years, and ISO 8601 with month and day. The calendar is the
 * proleptic Gregorian one. */
#include "report/content/field_bins.h"

#include <string.h>

/* The value of exactly n digits; -1 if they are not digits. */
static int digits(const char *text, int n)
{
    int value = 0;
    for (int i = 0; i < n; i++) {
        if (text[i] < '0' || text[i] > '9')
            return -1;
        value = 10 * value + (text[i] - '0');
    }
    return value;
}

static int month_days(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap);
}

bool ez_date_parse(const char *text, ez_date *date)
{
    *date = (ez_date){.year = digits(text, 4), .month = 1, .day = 1, .unit = EZ_DATE_YEAR};
    if (date->year < 1)
        return false;
    if (!text[4])
        return true;
    date->month = text[4] == '-' ? digits(text + 5, 2) : -1;
    date->unit = EZ_DATE_MONTH;
    if (date->month < 1 || date->month > 12)
        return false;
    if (!text[7])
        return true;
    date->day = text[7] == '-' ? digits(text + 8, 2) : -1;
    date->unit = EZ_DATE_DAY;
    if (date->day < 1 || date->day > month_days(date->year, date->month))
        return false;
    return !text[10] || text[10] == 'T' || text[10] == ' ';
}

/* How many digits the text starts with. */
static int digit_run(const char *text)
{
    int n = 0;
    while (text[n] >= '0' && text[n] <= '9')
        n++;
    return n;
}

/* Accepts three numbers of one, two or four digits, one of which has four or all of which have two;
 * or eight digits. */
bool ez_date_alike(const char *text)
{
    int longest = 0, shortest = 4, n = digit_run(text);
    if (n == 8)
        return !text[8] && digits(text + 4, 2) <= 12 && digits(text + 6, 2) <= 31;
    for (int i = 0; i < 3; i++) {
        n = digit_run(text);
        if (n < 1 || n == 3 || n > 4)
            return false;
        longest = n > longest ? n : longest;
        shortest = n < shortest ? n : shortest;
        text += n;
        if (i < 2 && (!*text || !strchr("./- ", *text++)))
            return false;
    }
    return longest == 4 || shortest == 2;
}

/* Days before a year, from the year 1. */
static int64_t days_before(int64_t year)
{
    int64_t y = year - 1;
    return 365 * y + y / 4 - y / 100 + y / 400;
}

int64_t ez_date_number(const ez_date *date, ez_date_unit unit)
{
    if (unit == EZ_DATE_YEAR)
        return date->year;
    if (unit == EZ_DATE_QUARTER)
        return (int64_t)date->year * 4 + (date->month - 1) / 3;
    if (unit == EZ_DATE_MONTH)
        return (int64_t)date->year * 12 + date->month - 1;
    int64_t days = days_before(date->year) + date->day - 1;
    for (int month = 1; month < date->month; month++)
        days += month_days(date->year, month);
    return days;
}

void ez_date_of_day(int64_t number, ez_date *date)
{
    int year = (int)(number / 366) + 1, month = 1;
    while (days_before(year + 1) <= number)
        year++;
    int rest = (int)(number - days_before(year));
    for (; rest >= month_days(year, month); month++)
        rest -= month_days(year, month);
    *date = (ez_date){.year = year, .month = month, .day = rest + 1, .unit = EZ_DATE_DAY};
}
